-- A session of an author in Neovim, with the server: what each step shows is written to the file $CARDWRIGHT_SHOWN, a line
-- a step. Runs with `nvim --headless -u NONE -l`, or -S in old versions, in the folder of a game.

local shown = assert(io.open(vim.env.CARDWRIGHT_SHOWN, "w"))
local function show(step, text)
  shown:write(step, ": ", (tostring(text):gsub("\n", "⏎")), "\n")
  shown:flush()
end

local function await(step, condition)
  if not vim.wait(60000, condition, 20) then
    show(step, "nothing within a minute")
    vim.cmd("cquit 1")
  end
end

local config = { name = "cardwright", cmd = { vim.env.CARDWRIGHT, "lsp" }, root_dir = vim.fn.getcwd() }
local function attach()
  if vim.lsp.start then
    vim.lsp.start(config)
  else
    config.id = config.id or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, config.id)
  end
end

local function open(path)
  vim.cmd("edit " .. path)
  attach()
  await("attached", function()
    local clients = vim.lsp.get_active_clients and vim.lsp.get_active_clients({ bufnr = 0 }) or vim.lsp.get_clients({ bufnr = 0 })
    return #clients > 0
  end)
end

-- The errors in the buffer, by their codes.
local function found()
  local words = {}
  for _, one in ipairs(vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })) do
    table.insert(words, one.lnum + 1 .. ":" .. one.col + 1 .. " " .. tostring(one.code))
  end
  return table.concat(words, ", ")
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  for _, answer in pairs(answers) do
    if answer.result then return answer.result end
  end
  return {}
end

local function place(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then return number, at - 1 end
  end
  error("no line has " .. text)
end

local function run()
  vim.cmd("filetype off")
  open("Rules/core.rules")
  local line, column = line_of("bp(+200")

  -- A slip, as it is typed.
  place(line, column)
  vim.cmd("normal! xxipb")
  await("slip", function() return found() ~= "" end)
  show("slip", found())

  -- Its fix, as the editor applies it.
  local range = vim.lsp.util.make_range_params(0, "utf-16")
  range.context = { diagnostics = {} }
  range.range = { start = { line = line - 1, character = column }, ["end"] = { line = line - 1, character = column + 2 } }
  local actions = ask("textDocument/codeAction", range)
  for _, action in ipairs(actions) do
    if action.kind == "quickfix" then
      show("fix", action.title)
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
      break
    end
  end
  await("fixed", function() return found() == "" end)
  show("fixed", vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1])

  -- What may stand at the caret.
  local completions = ask("textDocument/completion", place(line, column + 1))
  local labels = {}
  for _, item in ipairs(completions.items or completions) do table.insert(labels, item.label) end
  table.sort(labels)
  show("completion", vim.tbl_contains(labels, "bp") and "bp is offered" or table.concat(labels, " "))

  local hover = ask("textDocument/hover", place(line, column))
  show("hover", hover.contents and hover.contents.value:sub(1, 60) or "nothing")

  local help = ask("textDocument/signatureHelp", place(line, column + 4))
  show("signature", help.signatures and help.signatures[1].label or "nothing")

  -- From a rule to the printed card.
  local header = line_of("[")
  local to = ask("textDocument/definition", place(header, 2))
  local first = to[1] or to
  show("definition", (first.uri or first.targetUri or "nowhere"):match("[^/]*$"))

  local symbols = ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params(0) })
  show("symbols", #symbols > 20 and "many" or #symbols)

  -- Another name for the card, in every file of the game.
  local named = vim.lsp.util.make_position_params(0, "utf-16")
  named.position = { line = header - 1, character = 2 }
  named.newName = "Ferment"
  local texts = 0
  for _ in pairs(ask("textDocument/rename", named).changes or {}) do texts = texts + 1 end
  show("rename", texts > 3 and "in many texts" or texts)

  -- A layout that is not the usual one.
  vim.api.nvim_buf_set_lines(0, header, header, false, { "action   =   sp( +1 )" })
  local edits = ask("textDocument/formatting", { textDocument = vim.lsp.util.make_text_document_params(0), options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  show("format", vim.api.nvim_buf_get_lines(0, header, header + 1, false)[1])
  vim.cmd("undo")
  vim.cmd("undo")

  -- A deck, at the same time.
  open(vim.fn.glob("Decks/*.o8d", true, true)[1])
  local card = line_of("qty=")
  local text = vim.api.nvim_buf_get_lines(0, card - 1, card, false)[1]
  vim.api.nvim_buf_set_lines(0, card - 1, card, false, { (text:gsub('id="%x', 'id="zz')) })
  await("deck", function() return found() ~= "" end)
  show("deck", found():match("PK%d+"))
  vim.cmd("qall!")
end

local worked, why = xpcall(run, debug.traceback)
if not worked then
  show("error", why)
  vim.cmd("cquit 1")
end
