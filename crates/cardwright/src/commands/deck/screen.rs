//! The deck builder on the whole screen: filters, cards, the deck, and why it is not legal yet.

use std::path::Path;

use anyhow::Context;
use cw_octgn::{Package, PoolCard, PropertyKind};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::builder::{CardOrder, DeckBuilder};
use super::{lines, save, stats};
use crate::output::say;

/// Shows the builder until the person leaves.
pub(super) fn run(builder: DeckBuilder<'_>, file: &Path) -> anyhow::Result<()> {
    let mut terminal = ratatui::try_init().context("cannot use the terminal; --plain asks line by line")?;
    let mut screen = Screen::new(builder, file);
    let result = screen.work(&mut terminal);
    ratatui::restore();
    result?;
    let builder = &screen.builder;
    let state = builder.state();
    let name = file.display();
    match builder.saved {
        true if file.is_file() => say!(
            "{name}: {}, {state}",
            crate::output::count(builder.deck().count(), "card")
        ),
        _ => say!("{name}: nothing was written"),
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pane {
    Filters,
    Cards,
    Deck,
}

/// What keys mean at the moment.
enum Mode {
    Panes,
    /// Typing into the search; what it was before.
    Search {
        text: String,
        before: String,
    },
    /// A page over the panes, with its first line shown.
    Page {
        title: &'static str,
        lines: Vec<String>,
        from: usize,
    },
    /// Asking whether to save before leaving.
    Leave,
}

/// A list's cursor and the first row shown.
#[derive(Clone, Copy, Debug, Default)]
struct ListCursor {
    at: usize,
    from: usize,
}

impl ListCursor {
    fn step(&mut self, by: isize, count: usize) {
        self.at = self.at.saturating_add_signed(by).min(count.saturating_sub(1));
    }

    /// The rows to show of so many, so that the cursor is among them.
    fn window(&mut self, count: usize, height: usize) -> std::ops::Range<usize> {
        self.at = self.at.min(count.saturating_sub(1));
        self.from = self.from.min(self.at).max((self.at + 1).saturating_sub(height));
        // No empty rows below while there are rows above.
        self.from = self.from.min(count.saturating_sub(height));
        self.from..count.min(self.from + height)
    }
}

struct Screen<'a> {
    builder: DeckBuilder<'a>,
    file: &'a Path,
    pane: Pane,
    mode: Mode,
    filters: ListCursor,
    cards: ListCursor,
    deck: ListCursor,
    /// Filters whose values are shown.
    open: Vec<bool>,
    /// Rows of a page of the list, as last drawn.
    page: usize,
    message: Option<String>,
    /// Properties that can stand beside the names.
    candidates: Vec<ListColumn>,
    /// Those that fit, as last drawn.
    columns: Vec<ListColumn>,
    /// The longest name.
    longest: usize,
}

/// A property shown in the list.
#[derive(Clone, Debug)]
struct ListColumn {
    property: String,
    width: usize,
    right: bool,
}

const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const FOCUS: Style = Style::new().fg(Color::Cyan);
const CHANGED: Style = Style::new().fg(Color::Yellow);
const GOOD: Style = Style::new().fg(Color::Green);
const BAD: Style = Style::new().fg(Color::Red);
const CURSOR: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Less cannot be shown.
const LEAST: (u16, u16) = (60, 16);
/// From this width on all three panes are shown.
const WIDE: u16 = 110;

const HELP: &[&str] = &[
    "Tab          from pane to pane: cards, deck, filters",
    "arrows       up and down; PgUp, PgDn, Home, End",
    "",
    "Enter or +   adds one of the card",
    "-            takes one out",
    "x            takes all of it out",
    "u            undoes the last change",
    "[ and ]      the deck's sections",
    "",
    "/            looks for cards: words, bp>=500, type:action, not …",
    "f            filters; Enter opens one, or switches a value",
    "c            switches filters and search off",
    "o            sorts by the next column",
    "",
    "t            curves, types, back-ups and chances of the deck",
    "s            saves",
    "q            leaves",
];

impl<'a> Screen<'a> {
    fn new(builder: DeckBuilder<'a>, file: &'a Path) -> Screen<'a> {
        let open = vec![false; builder.filters.len()];
        let candidates = candidates(&builder);
        let package = builder.package();
        let names = builder
            .offers
            .iter()
            .map(|offer| wide(&package.card(offer.card.card).name.value));
        let names = names.collect::<Vec<_>>().into_iter();
        let message = lines::unknown(&builder);
        Screen {
            builder,
            file,
            pane: Pane::Cards,
            mode: Mode::Panes,
            filters: ListCursor::default(),
            cards: ListCursor::default(),
            deck: ListCursor::default(),
            open,
            page: 10,
            message,
            columns: Vec::new(),
            candidates,
            longest: names.max().unwrap_or(0),
        }
    }

    fn work(&mut self, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
        loop {
            terminal.draw(|frame| self.draw(frame)).context("cannot draw")?;
            if let Event::Key(key) = event::read().context("cannot read keys")?
                && key.kind != KeyEventKind::Release
                && self.key(key)?
            {
                return Ok(());
            }
        }
    }

    // ---- keys

    /// Does what a key asks for; whether that is to leave.
    fn key(&mut self, key: KeyEvent) -> anyhow::Result<bool> {
        self.message = None;
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Ok(self.leave());
        }
        if control && key.code == KeyCode::Char('s') {
            self.save()?;
            return Ok(false);
        }
        match &mut self.mode {
            Mode::Panes => return self.pane_key(key.code),
            Mode::Search { .. } => self.search_key(key.code),
            Mode::Page { lines, from, .. } => {
                let most = lines.len().saturating_sub(1);
                match key.code {
                    KeyCode::Up => *from = from.saturating_sub(1),
                    KeyCode::Down => *from = (*from + 1).min(most),
                    KeyCode::PageUp => *from = from.saturating_sub(10),
                    KeyCode::PageDown | KeyCode::Char(' ') => *from = (*from + 10).min(most),
                    _ => self.mode = Mode::Panes,
                }
            }
            Mode::Leave => match key.code {
                KeyCode::Char('s') => {
                    self.save()?;
                    return Ok(true);
                }
                KeyCode::Char('l') => return Ok(true),
                _ => self.mode = Mode::Panes,
            },
        }
        Ok(false)
    }

    /// Whether there is nothing to lose; else asks.
    fn leave(&mut self) -> bool {
        if self.builder.saved || matches!(self.mode, Mode::Leave) {
            return true;
        }
        self.mode = Mode::Leave;
        false
    }

    fn save(&mut self) -> anyhow::Result<()> {
        save(&mut self.builder, self.file)?;
        self.message = Some(format!("wrote {}", self.file.display()));
        Ok(())
    }

    fn pane_key(&mut self, code: KeyCode) -> anyhow::Result<bool> {
        let page = isize::try_from(self.page).unwrap_or(1);
        match code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(self.leave()),
            KeyCode::Char('s') => self.save()?,
            KeyCode::Char('?' | 'h') => {
                self.mode = Mode::Page {
                    title: "Keys",
                    lines: HELP.iter().map(|line| (*line).to_owned()).collect(),
                    from: 0,
                };
            }
            KeyCode::Char('t') => self.mode = self.statistics(),
            KeyCode::Char('/') => {
                let before = self.builder.search.clone();
                self.pane = Pane::Cards;
                self.mode = Mode::Search {
                    text: before.clone(),
                    before,
                };
            }
            KeyCode::Char('f') => self.pane = Pane::Filters,
            KeyCode::Char('c') => {
                self.builder.clear_filters();
                // An empty search is a query.
                let _ = self.builder.look_for("");
            }
            KeyCode::Char('o') => {
                let columns: Vec<String> = self
                    .columns
                    .iter()
                    .map(|column| column.property.clone())
                    .collect();
                self.builder.sort_by_next(&columns);
                self.cards = ListCursor::default();
                self.message = Some(match &self.builder.order {
                    CardOrder::Set => "sorted as the sets list them".to_owned(),
                    CardOrder::Name => "sorted by name".to_owned(),
                    CardOrder::Property(name) => format!("sorted by {name}"),
                });
            }
            KeyCode::Char('u') if !self.builder.undo() => {
                self.message = Some("there is nothing to take back".to_owned());
            }
            KeyCode::Char(']') => self.section(1),
            KeyCode::Char('[') => self.section(self.builder.sections.len() - 1),
            KeyCode::Tab | KeyCode::Right => self.turn(true),
            KeyCode::BackTab | KeyCode::Left => self.turn(false),
            KeyCode::Up | KeyCode::Char('k') => self.step(-1),
            KeyCode::Down | KeyCode::Char('j') => self.step(1),
            KeyCode::PageUp => self.step(-page),
            KeyCode::PageDown => self.step(page),
            KeyCode::Home => self.step(isize::MIN),
            KeyCode::End => self.step(isize::MAX),
            KeyCode::Enter | KeyCode::Char('+' | '=' | ' ') => self.act(),
            KeyCode::Char('-') | KeyCode::Backspace => self.take_out(Some(1)),
            KeyCode::Char('x') | KeyCode::Delete => self.take_out(None),
            _ => {}
        }
        Ok(false)
    }

    fn statistics(&self) -> Mode {
        let chances = stats::Chances {
            turns: 8,
            second: false,
            of: None,
        };
        let lines = match stats::stats(self.builder.opened, &self.builder.deck(), &chances) {
            Ok(lines) => lines.into_iter().skip_while(String::is_empty).collect(),
            Err(error) => vec![error.to_string()],
        };
        Mode::Page {
            title: "The deck",
            lines,
            from: 0,
        }
    }

    fn search_key(&mut self, code: KeyCode) {
        let Mode::Search { text, before } = &mut self.mode else {
            return;
        };
        match code {
            KeyCode::Enter => {
                // A text that is no query is still there to be mended.
                if let Err(error) = self.builder.look_for(&text.clone()) {
                    self.message = Some(lines::words(&error));
                } else {
                    self.mode = Mode::Panes;
                }
                return;
            }
            KeyCode::Esc => {
                let before = std::mem::take(before);
                // It was a query before.
                let _ = self.builder.look_for(&before);
                self.mode = Mode::Panes;
                return;
            }
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Char(c) => text.push(c),
            _ => return,
        }
        // While typing, what is not a query yet leaves the list as it is.
        let _ = self.builder.look_for(&text.clone());
        self.cards = ListCursor::default();
    }

    fn section(&mut self, by: usize) {
        let count = self.builder.sections.len();
        self.builder.current = (self.builder.current + by) % count;
        self.deck = ListCursor::default();
    }

    fn turn(&mut self, forth: bool) {
        self.pane = match (self.pane, forth) {
            (Pane::Filters, true) | (Pane::Deck, false) => Pane::Cards,
            (Pane::Cards, true) | (Pane::Filters, false) => Pane::Deck,
            (Pane::Deck, true) | (Pane::Cards, false) => Pane::Filters,
        };
    }

    fn step(&mut self, by: isize) {
        let (cards, rows) = (self.builder.shown.len(), self.filter_rows().len());
        let lines = self.builder.sections[self.builder.current].cards.len();
        match self.pane {
            Pane::Filters => self.filters.step(by, rows),
            Pane::Cards => self.cards.step(by, cards),
            Pane::Deck => self.deck.step(by, lines),
        }
    }

    /// The copy that the cursor stands on.
    fn card(&self) -> Option<PoolCard> {
        match self.pane {
            Pane::Cards | Pane::Filters => {
                let place = self.builder.shown.get(self.cards.at)?;
                Some(self.builder.offers[*place].card)
            }
            Pane::Deck => {
                let cards = &self.builder.sections[self.builder.current].cards;
                cards.get(self.deck.at).map(|(card, _)| *card)
            }
        }
    }

    fn act(&mut self) {
        if self.pane == Pane::Filters {
            match self.filter_rows().get(self.filters.at) {
                Some((filter, None)) => self.open[*filter] = !self.open[*filter],
                Some((filter, Some(value))) => {
                    self.builder.switch(*filter, *value);
                    self.cards = ListCursor::default();
                }
                None => {}
            }
            return;
        }
        let card = self.card();
        let offer = card.and_then(|card| self.builder.offers.iter().position(|offer| offer.card == card));
        match (card, offer) {
            (Some(_), Some(offer)) => self.message = self.builder.add(offer, 1).err(),
            (Some(_), None) => self.message = Some("the pool does not have this card".to_owned()),
            (None, _) => {}
        }
    }

    fn take_out(&mut self, count: Option<u32>) {
        if self.pane == Pane::Filters {
            return;
        }
        if let Some(card) = self.card() {
            self.message = self.builder.remove(card, count).err();
        }
    }

    /// What the filter pane shows: properties, and the values of those that are open.
    fn filter_rows(&self) -> Vec<(usize, Option<usize>)> {
        let mut rows = Vec::new();
        for (place, filter) in self.builder.filters.iter().enumerate() {
            rows.push((place, None));
            if self.open[place] {
                rows.extend((0..filter.values.len()).map(|value| (place, Some(value))));
            }
        }
        rows
    }

    // ---- drawing

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let words = format!(
                "The deck builder needs {} × {} characters; q leaves.",
                LEAST.0, LEAST.1
            );
            Paragraph::new(words)
                .wrap(Wrap { trim: true })
                .render(area, frame.buffer_mut());
            return;
        }
        let reasons = self.builder.reasons();
        let tall = area.height >= 34;
        let reason_rows = if tall { cells(reasons.len()).clamp(1, 3) } else { 1 };
        let [top, main, detail, why, keys] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(8),
            Constraint::Length(if tall { 10 } else { 7 }),
            Constraint::Length(reason_rows),
            Constraint::Length(1),
        ])
        .areas(area);
        self.draw_title(top, &reasons, frame.buffer_mut());
        if area.width >= WIDE {
            let [filters, cards, deck] = Layout::horizontal([
                Constraint::Length(28),
                Constraint::Min(40),
                Constraint::Length(36),
            ])
            .areas(main);
            self.draw_filters(filters, frame.buffer_mut());
            self.draw_cards(cards, frame);
            self.draw_deck(deck, frame.buffer_mut());
        } else {
            let [cards, side] = Layout::horizontal([Constraint::Min(30), Constraint::Length(28)]).areas(main);
            self.draw_cards(cards, frame);
            match self.pane {
                Pane::Filters => self.draw_filters(side, frame.buffer_mut()),
                Pane::Cards | Pane::Deck => self.draw_deck(side, frame.buffer_mut()),
            }
        }
        self.draw_detail(detail, frame.buffer_mut());
        let state = self.builder.state();
        draw_reasons(why, &reasons, &state, frame.buffer_mut());
        self.draw_keys(keys, frame.buffer_mut());
        self.draw_page(area, frame.buffer_mut());
    }

    fn draw_title(&self, area: Rect, reasons: &[String], buffer: &mut Buffer) {
        let game = &*self.builder.package().definition.name.value;
        let pool = if self.builder.limited {
            " · from a pool"
        } else {
            ""
        };
        let count = self.builder.deck().count();
        let (mark, style) = match (reasons.is_empty(), self.builder.knows_legal()) {
            (true, true) => ("✓ legal", GOOD),
            (true, false) => ("? unknown", CHANGED),
            (false, _) => ("✗ not legal", BAD),
        };
        let mut right = vec![
            Span::styled(format!("{count}{}  ", self.builder.wanted()), BOLD),
            Span::styled(mark, style),
            Span::raw(" "),
        ];
        if !self.builder.saved {
            right.insert(0, Span::styled("not saved  ", CHANGED));
        }
        let right = Line::from(right);
        let room = usize::from(area.width).saturating_sub(right.width() + 2);
        let name = clip(&self.builder.name, room);
        let rest = clip(&format!("  {game}{pool}"), room.saturating_sub(wide(&name)));
        let left = Line::from(vec![
            Span::raw(" "),
            Span::styled(name, BOLD),
            Span::styled(rest, DIM),
        ]);
        buffer.set_line(area.x, area.y, &left, area.width);
        let width = cells(right.width());
        buffer.set_line(area.right().saturating_sub(width), area.y, &right, width);
    }

    /// A pane's frame; what is inside it.
    fn pane(&self, pane: Pane, title: &str, area: Rect, buffer: &mut Buffer) -> Rect {
        let focused = self.pane == pane;
        let (mark, style) = if focused { ("▸", FOCUS) } else { (" ", DIM) };
        let title = clip(title, usize::from(area.width).saturating_sub(6));
        let block = Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(style)
            .title(Span::styled(
                format!("{mark}{title} "),
                if focused { FOCUS.patch(BOLD) } else { BOLD },
            ));
        let inner = block.inner(area);
        block.render(area, buffer);
        inner
    }

    fn draw_filters(&mut self, area: Rect, buffer: &mut Buffer) {
        let inner = self.pane(Pane::Filters, "Filters", area, buffer);
        let rows = self.filter_rows();
        let window = self.filters.window(rows.len(), inner.height.into());
        let width = usize::from(inner.width);
        for (y, at) in (inner.y..).zip(window) {
            let (place, value) = rows[at];
            let filter = &self.builder.filters[place];
            let line = match value {
                None => {
                    let mark = if self.open[place] { "▾" } else { "▸" };
                    let on: Vec<&str> = filter
                        .values
                        .iter()
                        .filter(|value| value.on)
                        .map(lines::shown)
                        .collect();
                    let name = clip(&filter.property, width.saturating_sub(2));
                    let room = width.saturating_sub(3 + wide(&name));
                    let chosen = clip(&on.join(" "), room);
                    Line::from(vec![
                        Span::raw(format!("{mark} ")),
                        Span::styled(name, if filter.is_on() { BOLD } else { Style::new() }),
                        Span::styled(format!(" {chosen}"), CHANGED),
                    ])
                }
                Some(value) => {
                    let value = &filter.values[value];
                    let mark = if value.on { "[x]" } else { "[ ]" };
                    let count = value.count.to_string();
                    let room = width.saturating_sub(7 + count.len());
                    Line::from(vec![
                        Span::raw(format!("  {mark} ")),
                        Span::styled(
                            padded(lines::shown(value), room, false),
                            if value.on { CHANGED } else { Style::new() },
                        ),
                        Span::styled(format!(" {count}"), DIM),
                    ])
                }
            };
            let cursor = self.pane == Pane::Filters && at == self.filters.at;
            put_line(inner, y, line, cursor, buffer);
        }
        if rows.is_empty() {
            put_line(
                inner,
                inner.y,
                Line::styled("nothing to filter by", DIM),
                false,
                buffer,
            );
        }
    }

    fn draw_cards(&mut self, area: Rect, frame: &mut Frame<'_>) {
        let all = self.builder.offers.len();
        let shown = self.builder.shown.len();
        let title = match shown == all {
            true => format!("Cards {all}"),
            false => format!("Cards {shown} of {all}"),
        };
        let buffer = frame.buffer_mut();
        let inner = self.pane(Pane::Cards, &title, area, buffer);
        let width = usize::from(inner.width);
        let mut y = inner.y;
        // The search and the filters, if there are any.
        let mut cursor = None;
        if let Mode::Search { text, .. } = &self.mode {
            let shown = tail(text, width.saturating_sub(2));
            let line = Line::from(vec![Span::styled("/", FOCUS), Span::raw(shown.clone())]);
            buffer.set_line(inner.x, y, &line, inner.width);
            cursor = Some(Position::new(inner.x + 1 + cells(wide(&shown)), y));
            y += 1;
        } else {
            let mut words = Vec::new();
            if !self.builder.search.trim().is_empty() {
                words.push(format!("/{}", self.builder.search));
            }
            let filters = lines::active(&self.builder);
            words.extend((!filters.is_empty()).then_some(filters));
            if !words.is_empty() {
                buffer.set_line(
                    inner.x,
                    y,
                    &Line::styled(clip(&words.join("  "), width), CHANGED),
                    inner.width,
                );
                y += 1;
            }
        }
        let counts = if self.builder.limited { 6 } else { 3 };
        let room = width.saturating_sub(counts + self.longest.clamp(16, 30));
        self.columns = columns(&self.candidates, room);
        let taken: usize = self.columns.iter().map(|column| column.width + 1).sum();
        let name_width = width.saturating_sub(counts + taken);
        let mark = |order: &CardOrder, text: &str| match *order == self.builder.order {
            true => format!("{text}↓"),
            false => text.to_owned(),
        };
        let mut header = vec![
            Span::raw(padded(
                if self.builder.limited { "used" } else { "" },
                counts - 1,
                true,
            )),
            Span::raw(" "),
            Span::raw(padded(&mark(&CardOrder::Name, "Name"), name_width, false)),
        ];
        for column in &self.columns {
            let name = mark(&CardOrder::Property(column.property.clone()), &column.property);
            header.push(Span::raw(format!(
                " {}",
                padded(&name, column.width, column.right)
            )));
        }
        put_line(inner, y, Line::from(header).style(DIM), false, buffer);
        y += 1;
        let height = usize::from(inner.bottom().saturating_sub(y));
        self.page = height.max(1);
        let window = self.cards.window(shown, height);
        for (y, at) in (y..).zip(window) {
            let offer = self.builder.offers[self.builder.shown[at]];
            let used = self.builder.used(offer.card);
            let count = match (offer.present, self.builder.limited, used) {
                (Some(present), _, _) => format!("{used}/{present}"),
                (None, true, _) => format!("{used}/∞"),
                (None, false, 0) => String::new(),
                (None, false, _) => used.to_string(),
            };
            let gone = self.builder.left(&offer) == Some(0);
            let package = self.builder.package();
            let mut name = package.card(offer.card.card).name.to_string();
            if let Some(form) = self.builder.found_by_form(self.builder.shown[at]) {
                name.push_str(&format!(" / {}", *form.name));
            }
            let mut spans = vec![
                Span::styled(
                    padded(&count, counts - 1, true),
                    if used > 0 { GOOD } else { DIM },
                ),
                Span::raw(" "),
                Span::styled(
                    padded(&name, name_width, false),
                    if gone { DIM } else { Style::new() },
                ),
            ];
            for column in &self.columns {
                let text = offer.card.text(package, &column.property).unwrap_or_default();
                let style = match is_changed(package, offer.card, &column.property) {
                    true => CHANGED,
                    false if gone => DIM,
                    false => Style::new(),
                };
                spans.push(Span::raw(" "));
                spans.push(Span::styled(
                    padded(text.trim(), column.width, column.right),
                    style,
                ));
            }
            let cursor = self.pane == Pane::Cards && at == self.cards.at;
            put_line(inner, y, Line::from(spans), cursor, buffer);
        }
        if shown == 0 {
            let words = "no card is left; c switches filters and search off";
            put_line(inner, y, Line::styled(clip(words, width), DIM), false, buffer);
        }
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }

    fn draw_deck(&mut self, area: Rect, buffer: &mut Buffer) {
        let section = &self.builder.sections[self.builder.current];
        let several = self.builder.sections.len();
        let which = match several {
            1 => String::new(),
            _ => format!("  [{}/{several}]", self.builder.current + 1),
        };
        let title = format!("{} {}{which}", section.name, section.count());
        let inner = self.pane(Pane::Deck, &title, area, buffer);
        let package = self.builder.package();
        let width = usize::from(inner.width);
        let window = self.deck.window(section.cards.len(), inner.height.into());
        for (y, at) in (inner.y..).zip(window) {
            let (card, count) = section.cards[at];
            let found = package.card(card.card);
            let mark = if card.changes(package).is_some() { "*" } else { "" };
            let most = self
                .builder
                .rules
                .as_ref()
                .map(|rules| rules.copies_of(card.card));
            let too_many = most.is_some_and(|most| self.builder.used(card) > u64::from(most));
            let line = Line::from(vec![
                Span::styled(format!("{count:>4}"), if too_many { BAD } else { GOOD }),
                Span::raw(" "),
                Span::raw(padded(
                    &format!("{}{mark}", *found.name),
                    width.saturating_sub(5),
                    false,
                )),
            ]);
            let cursor = self.pane == Pane::Deck && at == self.deck.at;
            put_line(inner, y, line, cursor, buffer);
        }
        if section.cards.is_empty() {
            let words = clip(" Enter adds cards to it", width);
            put_line(inner, inner.y, Line::styled(words, DIM), false, buffer);
        }
    }

    fn draw_detail(&self, area: Rect, buffer: &mut Buffer) {
        let card = self.card();
        let title = card.map_or(String::new(), |card| {
            let package = self.builder.package();
            format!(
                " {} · {} ",
                *package.card(card.card).name,
                *package.set_of(card.card).name
            )
        });
        let title = clip(&title, usize::from(area.width).saturating_sub(4));
        let block = Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(DIM)
            .title(Span::styled(title, BOLD));
        let inner = block.inner(area);
        block.render(area, buffer);
        if let Some(card) = card {
            Paragraph::new(detail(self.builder.package(), card))
                .wrap(Wrap { trim: true })
                .render(inner, buffer);
        }
    }

    fn draw_keys(&self, area: Rect, buffer: &mut Buffer) {
        if let Some(message) = &self.message {
            let line = Line::styled(clip(&format!(" {message}"), area.width.into()), CHANGED);
            buffer.set_line(area.x, area.y, &line, area.width);
            return;
        }
        let keys: &[(&str, &str)] = match (&self.mode, self.pane) {
            (Mode::Search { .. }, _) => &[("Enter", "done"), ("Esc", "as before")],
            (Mode::Page { .. }, _) => &[("↑↓", "scroll"), ("Esc", "back")],
            (Mode::Leave, _) => &[],
            (Mode::Panes, Pane::Filters) => &[
                ("Enter", "open/switch"),
                ("c", "all off"),
                ("Tab", "cards"),
                ("s", "save"),
                ("?", "keys"),
                ("q", "leave"),
            ],
            (Mode::Panes, Pane::Cards | Pane::Deck) => &[
                ("Enter", "add"),
                ("-", "out"),
                ("/", "search"),
                ("f", "filter"),
                ("Tab", "pane"),
                ("s", "save"),
                ("q", "leave"),
                ("?", "keys"),
                ("u", "undo"),
                ("t", "stats"),
                ("o", "sort"),
            ],
        };
        let mut spans = vec![Span::raw(" ")];
        let mut room = usize::from(area.width).saturating_sub(1);
        for (key, words) in keys {
            // What has no room is on the page of keys.
            let taken = wide(key) + wide(words) + 3;
            if taken > room {
                break;
            }
            room -= taken;
            spans.push(Span::styled(*key, BOLD));
            spans.push(Span::styled(format!(" {words}  "), DIM));
        }
        buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
    }

    fn draw_page(&self, area: Rect, buffer: &mut Buffer) {
        let (title, lines, from): (&str, Vec<Line<'_>>, usize) = match &self.mode {
            Mode::Panes | Mode::Search { .. } => return,
            Mode::Page { title, lines, from } => {
                let lines = lines.iter().map(|line| Line::raw(line.as_str())).collect();
                (title, lines, *from)
            }
            Mode::Leave => {
                let key = |key, words| Line::from(vec![Span::styled(key, BOLD), Span::raw(words)]);
                let lines = vec![
                    Line::raw("The deck has changes that are not saved."),
                    Line::raw(""),
                    key("s", "    saves and leaves"),
                    key("l", "    leaves without saving"),
                    key("Esc", "  stays"),
                ];
                ("Leave?", lines, 0)
            }
        };
        let widest = lines.iter().map(Line::width).max().unwrap_or(0);
        let width = cells(widest + 4).clamp(24, area.width.saturating_sub(2));
        let height = cells(lines.len() + 2).clamp(3, area.height.saturating_sub(2));
        let box_area = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        Clear.render(box_area, buffer);
        let block = Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(FOCUS)
            .title(Span::styled(format!(" {title} "), FOCUS.patch(BOLD)));
        let inner = block.inner(box_area);
        block.render(box_area, buffer);
        let most = lines.len().saturating_sub(inner.height.into());
        for (y, line) in (inner.y..inner.bottom()).zip(lines.into_iter().skip(from.min(most))) {
            buffer.set_line(inner.x + 1, y, &line, inner.width.saturating_sub(2));
        }
    }
}

/// Why the deck cannot be played, as many reasons as there is room for.
fn draw_reasons(area: Rect, reasons: &[String], state: &str, buffer: &mut Buffer) {
    let rows = usize::from(area.height);
    let width = usize::from(area.width);
    if reasons.is_empty() {
        buffer.set_line(
            area.x,
            area.y,
            &Line::styled(format!(" {state}"), GOOD),
            area.width,
        );
        return;
    }
    // In one row all that fit; in several one each, the last one for all that are left.
    let mut left = reasons;
    for row in 0..rows {
        let words = if row + 1 < rows && left.len() > 1 {
            let (first, rest) = left.split_at(1);
            left = rest;
            first[0].clone()
        } else {
            std::mem::take(&mut left).join("; ")
        };
        let lead = if row == 0 { " not legal: " } else { "            " };
        if !words.is_empty() {
            let line = Line::styled(clip(&format!("{lead}{words}"), width), BAD);
            buffer.set_line(area.x, area.y + cells(row), &line, area.width);
        }
    }
}

/// A row of a list; the cursor is its whole width.
fn put_line(inner: Rect, y: u16, line: Line<'_>, cursor: bool, buffer: &mut Buffer) {
    if y >= inner.bottom() {
        return;
    }
    buffer.set_line(inner.x, y, &line, inner.width);
    if cursor {
        buffer.set_style(
            Rect {
                y,
                height: 1,
                ..inner
            },
            CURSOR,
        );
    }
}

/// Whether an include gives this property.
fn is_changed(package: &Package, card: PoolCard, property: &str) -> bool {
    card.changes(package)
        .is_some_and(|include| include.properties.iter().any(|changed| *changed.name == property))
}

/// What the card says: short properties in one paragraph, long ones each in its own.
fn detail(package: &Package, card: PoolCard) -> Vec<Line<'static>> {
    let mut short: Vec<Span<'static>> = Vec::new();
    let mut long: Vec<Line<'static>> = Vec::new();
    for property in package
        .definition
        .properties
        .iter()
        .filter(|property| !property.hidden)
    {
        let name = property.name.as_str();
        let text = card.text(package, name).unwrap_or_default().trim();
        let changed = is_changed(package, card, name);
        if text.is_empty() && !changed {
            continue;
        }
        let mut words = if text.is_empty() { "none" } else { text }.to_owned();
        if changed {
            let printed = package.card(card.card).text(name).unwrap_or_default().trim();
            let printed = if printed.is_empty() { "none" } else { printed };
            words.push_str(&format!(" (printed: {printed})"));
        }
        let style = if changed { CHANGED } else { Style::new() };
        if property.kind == PropertyKind::RichText || wide(&words) > 40 || words.contains('\n') {
            for (number, part) in words.lines().enumerate() {
                let lead = if number == 0 {
                    format!("{name}: ")
                } else {
                    String::new()
                };
                long.push(Line::from(vec![
                    Span::styled(lead, DIM),
                    Span::styled(part.to_owned(), style),
                ]));
            }
        } else {
            if !short.is_empty() {
                short.push(Span::styled(" · ", DIM));
            }
            // What belongs together stays on one line.
            let held = |text: &str| text.replace(' ', "\u{a0}");
            short.push(Span::styled(format!("{}\u{a0}", held(name)), DIM));
            short.push(Span::styled(held(&words), style));
        }
    }
    let mut lines = vec![Line::from(short)];
    lines.extend(long);
    for form in &package.card(card.card).alternates {
        lines.push(Line::styled(format!("{} ({})", *form.name, *form.kind), BOLD));
        for property in &form.properties {
            if let Some(text) = property.value.plain().filter(|text| !text.trim().is_empty()) {
                lines.push(Line::from(vec![
                    Span::styled(format!("{}: ", *property.name), DIM),
                    Span::raw(text.trim().to_owned()),
                ]));
            }
        }
    }
    lines
}

/// The properties that can stand beside the names: those that are short and tell cards apart.
fn candidates(builder: &DeckBuilder<'_>) -> Vec<ListColumn> {
    let package = builder.package();
    let properties = package.definition.properties.iter();
    let visible = properties.filter(|property| !property.hidden && property.kind != PropertyKind::RichText);
    visible
        .filter_map(|property| {
            let texts = builder.offers.iter().map(|offer| {
                offer
                    .card
                    .text(package, &property.name)
                    .unwrap_or_default()
                    .trim()
            });
            let mut first = None;
            let mut several = false;
            let mut width = wide(&property.name).min(8) + 1;
            for text in texts {
                several |= *first.get_or_insert(text) != text;
                width = width.max(wide(text));
                if width > 16 {
                    return None;
                }
            }
            several.then(|| ListColumn {
                property: property.name.to_string(),
                width,
                right: property.kind == PropertyKind::Integer,
            })
        })
        .collect()
}

/// Those that fit: whole numbers first, then the others in the game's order, in which all are shown.
fn columns(all: &[ListColumn], room: usize) -> Vec<ListColumn> {
    let mut left = room;
    let mut taken = vec![false; all.len()];
    for numbers in [true, false] {
        for (place, column) in all
            .iter()
            .enumerate()
            .filter(|(_, column)| column.right == numbers)
        {
            if column.width < left {
                left -= column.width + 1;
                taken[place] = true;
            } else if !numbers {
                break;
            }
        }
    }
    let kept = all.iter().zip(taken).filter(|(_, taken)| *taken);
    kept.map(|(column, _)| column.clone()).collect()
}

/// Columns of the terminal that a text takes.
/// Cells of a screen.
fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn wide(text: &str) -> usize {
    Span::raw(text).width()
}

/// A text in so many columns, with `…` where it is cut; what would steer the terminal is a blank.
fn clip(text: &str, room: usize) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if wide(&clean) <= room {
        return clean;
    }
    let mut out = String::new();
    for c in clean.chars() {
        out.push(c);
        if wide(&out) + 1 > room {
            out.pop();
            break;
        }
    }
    if room > 0 {
        out.push('…');
    }
    out
}

/// The end of a text that is being typed.
fn tail(text: &str, room: usize) -> String {
    let mut from = 0;
    while wide(&text[from..]) > room {
        from += text[from..].chars().next().map_or(1, char::len_utf8);
    }
    text[from..].to_owned()
}

/// A text in exactly so many columns.
fn padded(text: &str, width: usize, right: bool) -> String {
    let text = clip(text, width);
    let blanks = " ".repeat(width.saturating_sub(wide(&text)));
    if right { blanks + &text } else { text + &blanks }
}

#[cfg(test)]
mod tests {
    use cw_load::Project;
    use cw_octgn::{Booster, MemoryFiles, Pool, sealed};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::package::{self, OpenedGame};

    /// What the screen shows, line by line.
    fn shown(screen: &mut Screen<'_>, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let row = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..height).map(|y| row(y).trim_end().to_owned() + "\n").collect()
    }

    fn press(screen: &mut Screen<'_>, keys: &str) {
        for c in keys.chars() {
            let code = match c {
                '⏎' => KeyCode::Enter,
                '↓' => KeyCode::Down,
                '→' => KeyCode::Tab,
                '⎋' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            screen.key(KeyEvent::new(code, KeyModifiers::NONE)).unwrap();
        }
    }

    fn demo() -> OpenedGame {
        package::open(None).unwrap()
    }

    /// G33, P113: copies are counted while they are added, and why the deck is not legal is always said.
    #[test]
    fn legality_is_live_at_every_size() {
        let opened = demo();
        for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 60)] {
            let builder = DeckBuilder::new(&opened, "my", None).unwrap();
            let mut screen = Screen::new(builder, Path::new("my.o8d"));
            let before = shown(&mut screen, width, height);
            assert!(before.contains("the deck has 0 cards instead of 50"), "{before}");
            press(&mut screen, "⏎⏎⏎⏎");
            let after = shown(&mut screen, width, height);
            assert!(after.contains("4 of 50 cards"), "{after}");
            assert!(after.contains("at most 3"), "{after}");
            press(&mut screen, "-u-");
            let after = shown(&mut screen, width, height);
            assert!(
                after.contains("3 of 50 cards") && !after.contains("at most"),
                "{after}"
            );
        }
        let builder = DeckBuilder::new(&opened, "my", None).unwrap();
        let mut screen = Screen::new(builder, Path::new("my.o8d"));
        assert!(shown(&mut screen, 40, 10).contains("needs 60 × 16"));
    }

    /// P114: filters by the values of the cards, together with a search, and all off again.
    #[test]
    fn filters_and_search_leave_what_matches() {
        let opened = demo();
        let mut screen = Screen::new(
            DeckBuilder::new(&opened, "my", None).unwrap(),
            Path::new("my.o8d"),
        );
        let all = screen.builder.shown.len();
        // The first filter is the type; its first value the first in the alphabet.
        press(&mut screen, "f⏎↓⏎");
        let text = shown(&mut screen, 80, 24);
        assert!(
            text.contains("[x] Action") && text.contains("Kind=Action"),
            "{text}"
        );
        let actions = screen.builder.shown.len();
        assert!(0 < actions && actions < all);
        press(&mut screen, "/sp<=-4⏎");
        assert!(screen.builder.shown.len() < actions);
        press(&mut screen, "/(⏎");
        assert!(shown(&mut screen, 80, 24).contains("missing"));
        press(&mut screen, "⎋c");
        assert_eq!(screen.builder.shown.len(), all);
        press(&mut screen, "oo");
        assert!(shown(&mut screen, 120, 40).contains('↓'));
    }

    /// The game's short names mean the same wherever somebody searches.
    #[test]
    fn the_games_short_names_are_understood() {
        let mut project = demo().into_project();
        let aliases = &mut project.config.search.aliases;
        aliases.insert("k".to_owned(), "Kind".to_owned());
        let opened = OpenedGame::of(project);
        let mut screen = Screen::new(
            DeckBuilder::new(&opened, "my", None).unwrap(),
            Path::new("my.o8d"),
        );
        let mut found = |query: &str| {
            press(&mut screen, &format!("/{query}⏎"));
            let found = screen.builder.shown.len();
            press(&mut screen, "⎋c");
            found
        };
        let actions = found("type:action");
        assert!(actions > 0);
        assert_eq!(found("k:action"), actions);
        assert!(
            demo().query("k:action").is_err(),
            "only where the game defines it"
        );
    }

    /// What is not saved is not lost without a question; help and statistics open and close.
    #[test]
    fn leaving_asks_about_what_is_not_saved() {
        let opened = demo();
        let mut screen = Screen::new(
            DeckBuilder::new(&opened, "my", None).unwrap(),
            Path::new("my.o8d"),
        );
        let key = |screen: &mut Screen<'_>, c| {
            let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            screen.key(event).unwrap()
        };
        assert!(key(&mut screen, 'q'), "nothing is lost");
        press(&mut screen, "⏎");
        assert!(!key(&mut screen, 'q'));
        assert!(shown(&mut screen, 80, 24).contains("not saved."));
        press(&mut screen, "⎋?");
        assert!(shown(&mut screen, 80, 24).contains("undoes the last change"));
        press(&mut screen, "⎋t");
        assert!(shown(&mut screen, 80, 24).contains("The deck"));
        press(&mut screen, "⎋q");
        assert!(key(&mut screen, 'l'));
    }

    /// P59f, P82, P113, P114, P194: a pool's copies are filtered by what the pack made of them, whole values
    /// or words of them, and no more can be used than there are.
    #[test]
    fn pools_show_what_packs_made_of_cards() {
        let game = "0a000000-0000-4000-8000-000000000001";
        let (own, other) = (
            "0a000000-0000-4000-8000-000000000002",
            "0a000000-0000-4000-8000-000000000003",
        );
        let far = "0b000000-0000-4000-8000-0000000000f1";
        let definition = format!(
            "<game id=\"{game}\" name=\"G\" version=\"1.0.0.0\"><card>\
             <property name=\"Rarity\" type=\"String\" textKind=\"Enum\"/>\
             <property name=\"Kind\" type=\"String\" textKind=\"Tokens\"/>\
             <property name=\"Secret\" type=\"Integer\" hidden=\"True\"/></card>\
             <player><group name=\"Deck\"/></player>\
             <deck><section name=\"Main\" group=\"Deck\"/></deck></game>"
        );
        let set = format!(
            "<set name=\"S\" id=\"{own}\" gameId=\"{game}\">\
             <packaging><pack name=\"p\" id=\"{game}\">\
             <include id=\"{far}\" set=\"{other}\"><property name=\"Rarity\" value=\"Rare\"/></include>\
             <pick qty=\"2\" key=\"Rarity\" value=\"Rare\"/></pack></packaging>\
             <cards><card id=\"0b000000-0000-4000-8000-000000000001\" name=\"own\">\
             <property name=\"Rarity\" value=\"Rare\"/><property name=\"Secret\" value=\"4\"/>\
             </card></cards></set>"
        );
        let printed = format!(
            "<set name=\"T\" id=\"{other}\" gameId=\"{game}\"><cards><card id=\"{far}\" name=\"far\">\
             <property name=\"Rarity\" value=\"Common\"/><property name=\"Kind\" value=\"Elf Warrior\"/>\
             </card></cards></set>"
        );
        let files = MemoryFiles::new()
            .with("definition.xml", definition)
            .with(format!("Sets/{own}/set.xml"), set)
            .with(format!("Sets/{other}/set.xml"), printed);
        let opened = OpenedGame::of(Project::read(files).unwrap());
        let mut pool: Pool = sealed(&[Booster::new(&opened.package, 0, 0)], 1, 1).remove(0);
        pool.cards.sort();
        let builder = DeckBuilder::new(&opened, "my", Some(&pool)).unwrap();
        // All are rare here, though one is printed common; hidden properties are no filters.
        let filters: Vec<&str> = builder
            .filters
            .iter()
            .map(|filter| filter.property.as_str())
            .collect();
        assert_eq!(filters, ["Kind"]);
        let values: Vec<&str> = builder.filters[0]
            .values
            .iter()
            .map(|value| value.text.as_str())
            .collect();
        assert_eq!(values, ["Elf", "Warrior", ""]);
        let mut screen = Screen::new(builder, Path::new("my.o8d"));
        press(&mut screen, "f⏎↓⏎→");
        assert_eq!(screen.builder.shown.len(), 1);
        let text = shown(&mut screen, 80, 24);
        assert!(
            text.contains("Rare (printed: Common)".replace(' ', "\u{a0}").as_str()),
            "{text}"
        );
        press(&mut screen, "⏎⏎");
        let text = shown(&mut screen, 80, 24);
        assert!(
            text.contains("1/1") && text.contains("all of far that the pool has"),
            "{text}"
        );
        // What is written knows nothing of it (P115).
        let deck = cw_octgn::write_deck(&screen.builder.deck());
        assert!(deck.contains("far") && !deck.contains("Rare"), "{deck}");
        // The same card as printed is another copy, which the pool does not have.
        let mut whole = DeckBuilder::new(&opened, "my", None).unwrap();
        assert_eq!(whole.filters[0].values.len(), 2);
        whole.add(0, 3).unwrap();
        assert!(whole.add(0, 4_000_000_000).is_err());
    }
}
