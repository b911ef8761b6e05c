;;; A session of an author in Emacs, with Eglot: what each step shows is written to the file $CARDWRIGHT_SHOWN, a line a
;;; step. Runs with `emacs --batch -l`, in the folder of a game.  -*- lexical-binding: t -*-

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'project)
(require 'seq)

(defun show (step text)
  (let ((coding-system-for-write 'utf-8))
    (write-region (concat step ": " (replace-regexp-in-string "\n" "⏎" (format "%s" text)) "\n")
                  nil (getenv "CARDWRIGHT_SHOWN") t 'silent)))

(defun await (step condition)
  (let ((end (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (show step "nothing within a minute")
        (kill-emacs 1))
      (accept-process-output nil 0.05))))

(defun found ()
  "The errors in the buffer, by their codes, with their lines."
  (mapconcat (lambda (one)
               (let ((data (alist-get 'eglot-lsp-diag (flymake-diagnostic-data one))))
                 (format "%d %s" (line-number-at-pos (flymake-diagnostic-beg one)) (plist-get data :code))))
             (seq-filter (lambda (one) (eq (flymake-diagnostic-type one) 'eglot-error)) (flymake-diagnostics))
             ", "))

(define-derived-mode rulescript-mode prog-mode "RuleScript")
(define-derived-mode deck-mode prog-mode "Deck")
(setq eglot-sync-connect 60
      eglot-connect-timeout 60
      eglot-events-buffer-size 0
      eglot-send-changes-idle-time 0
      eglot-server-programs `(((rulescript-mode :language-id "rulescript") . (,(getenv "CARDWRIGHT") "lsp"))
                              ((deck-mode :language-id "xml") . (,(getenv "CARDWRIGHT") "lsp"))))
(cl-defmethod project-root ((project (head game))) (cdr project))
(setq project-find-functions (list (lambda (_) (cons 'game default-directory-of-game))))
(defvar default-directory-of-game default-directory)

(defun open (path mode)
  (find-file (expand-file-name path default-directory-of-game))
  (funcall mode)
  (apply #'eglot (eglot--guess-contact))
  (await "attached" #'eglot-managed-p))

(defun sent ()
  "Tells the server what was typed, as an idle editor does."
  (eglot--signal-textDocument/didChange))

(condition-case why
    (progn
      (open "Rules/core.rules" #'rulescript-mode)
      ;; A slip, as it is typed.
      (goto-char (point-min))
      (search-forward "bp(+200")
      (goto-char (match-beginning 0))
      (delete-char 2)
      (insert "pb")
      (sent)
      (await "slip" (lambda () (not (equal (found) ""))))
      (show "slip" (found))
      ;; Its fix, as the editor applies it.
      (backward-char 1)
      (let* ((actions (append (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
                                               (list :textDocument (eglot--TextDocumentIdentifier)
                                                     :range (list :start (eglot--pos-to-lsp-position (1- (point)))
                                                                  :end (eglot--pos-to-lsp-position (1+ (point))))
                                                     :context '(:diagnostics [])))
                              nil))
             (fix (seq-find (lambda (action) (equal "quickfix" (plist-get action :kind))) actions)))
        (show "fix" (plist-get fix :title))
        (eglot--apply-workspace-edit (plist-get fix :edit)))
      (sent)
      (await "fixed" (lambda () (equal (found) "")))
      (show "fixed" (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
      ;; What may stand at the caret.
      (let* ((data (eglot-completion-at-point))
             (labels (all-completions "" (nth 2 data))))
        (show "completion" (if (member "bp" (mapcar #'substring-no-properties labels)) "bp is offered" labels)))
      ;; A layout that is not the usual one.
      (goto-char (point-min))
      (re-search-forward "^\\[.*\n")
      (insert "action   =   sp( +1 )\n")
      (forward-line -1)
      (sent)
      (eglot-format-buffer)
      (show "format" (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
      (delete-region (line-beginning-position) (1+ (line-end-position)))
      ;; From a rule to the printed card.
      (goto-char (point-min))
      (re-search-forward "^\\[")
      (forward-char 1)
      (sent)
      (call-interactively #'xref-find-definitions)
      (show "definition" (file-name-nondirectory buffer-file-name))
      ;; A deck, at the same time.
      (open (car (directory-files (expand-file-name "Decks" default-directory-of-game) t "\\.o8d\\'")) #'deck-mode)
      (goto-char (point-min))
      (search-forward "<card ")
      (search-forward "id=\"")
      (insert "zz")
      (sent)
      (await "deck" (lambda () (not (equal (found) ""))))
      (show "deck" (and (string-match "PK[0-9]+" (found)) (match-string 0 (found))))
      (set-buffer-modified-p nil)
      (kill-emacs 0))
  (error (show "error" why) (kill-emacs 1)))
