//! A card on the page: a button if it can be chosen, otherwise something to look at.

use cw_duel::{CardId, CardModel, CharacterView, ExplainedNumber, Game, Question, Seat};
use cw_faces::Catalogue;
use cw_program::{ClosedWord, ModelId};
use maud::{Markup, html};

use super::insight;
use crate::effects::key;
use crate::labels;
use crate::scene::{AnswerButton, SeatScene};

/// The card's picture: the package's if it has one, else the drawn face.
pub(crate) fn picture(scene: &SeatScene<'_>, model: ModelId, size: &str) -> Markup {
    html! {
        img src=(source(scene.catalogue(), model, size)) alt="" width="63" height="88" draggable="false";
    }
}

/// Where the card's picture is.
pub(crate) fn source(catalogue: &Catalogue, model: ModelId, size: &str) -> String {
    match catalogue.printed(model) {
        Some(printed) if printed.picture.is_some() => format!("/picture/{}", model.0),
        _ => format!("/face/{}/{size}.svg", model.0),
    }
}

/// Classes for what the package says of the card's looks: its shape, and whether it is a photograph.
fn looks(scene: &SeatScene<'_>, model: ModelId) -> String {
    let Some(printed) = scene.catalogue().printed(model) else {
        return String::new();
    };
    let photo = if printed.picture.is_some() { " photo" } else { "" };
    match printed.shape {
        0 => photo.to_owned(),
        shape => format!(" shape-{shape}{photo}"),
    }
}

/// The picture of the back of the default size's cards.
fn back(scene: &SeatScene<'_>) -> &'static str {
    let shape = scene.catalogue().shapes.first();
    match shape.and_then(|shape| shape.back.as_ref()) {
        Some(_) => "/back/0",
        None => "/face/back.svg",
    }
}

/// The back of a card that nobody here knows.
pub(crate) fn unknown(scene: &SeatScene<'_>) -> Markup {
    html! { img src=(back(scene)) alt=(labels::UNKNOWN_CARD) width="63" height="88" draggable="false"; }
}

/// The back of a card that nobody here knows, or a known one in small.
pub(crate) fn hidden(scene: &SeatScene<'_>, card: CardId, model: Option<ModelId>) -> Markup {
    match model {
        Some(model) => html! {
            li { (known(scene, card, model, "card mini known", None)) }
        },
        None => html! {
            li.card.mini.back data-card=(key(card)) { (unknown(scene)) }
        },
    }
}

/// A card whose face is known and which is not in a ring.
pub(crate) fn known(
    scene: &SeatScene<'_>,
    card: CardId,
    model: ModelId,
    class: &str,
    why: Option<&str>,
) -> Markup {
    // What is to be a back-up is not played now.
    let question = scene.decision().map(|decision| decision.question);
    let asks_whom = matches!(question, Some(Question::BackUpWhom(_)));
    let printed = scene.game().model(model);
    let label = format!("{}, {}", printed.name, summary(scene.game(), printed));
    let drawn = PlacedCard {
        card,
        model,
        class: format!("{class}{}", looks(scene, model)),
        label,
    };
    drawn.button(
        scene,
        html! {
            (picture(scene, model, "small"))
            @if printed.is_character() { b.bp { (printed.bp) } }
            (facts(scene, model, None, why))
            @if let Some(sp) = scene.cost_in_hand(card) {
                span.facts.more hidden {
                    span {
                        (if why.is_some() || asks_whom { labels::COSTS_THEN } else { labels::COSTS_NOW })
                        (insight::number(scene, ExplainedNumber::Cost(card), &labels::cost_now(sp)))
                    }
                }
            }
        },
    )
}

/// A card that has no place of its own on the table: only its face.
pub(crate) fn loose(scene: &SeatScene<'_>, model: ModelId, class: &str) -> Markup {
    let printed = scene.game().model(model);
    html! {
        button class=(format!("{class}{}", looks(scene, model))) type="button" data-model=(model.0)
            aria-label=(format!("{}, {}", printed.name, summary(scene.game(), printed))) {
            (picture(scene, model, "small"))
            @if printed.is_character() { b.bp { (printed.bp) } }
            (facts(scene, model, None, None))
        }
    }
}

/// A character in a ring.
pub(crate) fn fighter(scene: &SeatScene<'_>, whose: Seat, fighter: &CharacterView) -> Markup {
    let model = scene.game().model(fighter.model);
    let marks = marks(scene, fighter, model);
    let mut class = format!("card fighter{}", looks(scene, fighter.model));
    for mark in marks.iter().filter(|mark| !mark.class.is_empty()) {
        class.push(' ');
        class.push_str(mark.class);
    }
    if fighter.bp == 0 {
        class.push_str(" cracked");
    }
    let blocks = scene.view.blocks.iter().find(|(_, by)| *by == fighter.card);
    let lead = scene.view.united.first().copied().filter(|_| fighter.follows);
    let change = match fighter.bp.cmp(&model.bp) {
        std::cmp::Ordering::Greater => "bp up",
        std::cmp::Ordering::Less => "bp down",
        std::cmp::Ordering::Equal => "bp",
    };
    // What a mark says already is not said once more.
    let why = scene
        .why_not(fighter.card)
        .filter(|why| whose == scene.seat && !(fighter.frozen && why.ends_with(labels::IS_FROZEN)));
    let said: String = marks
        .iter()
        .map(|mark| format!(", {}{}", mark.count, mark.words))
        .collect();
    let owner = labels::owner(whose == scene.seat, &scene.other());
    let drawn = PlacedCard {
        card: fighter.card,
        model: fighter.model,
        class,
        label: format!("{}, {owner}, {} BP{said}", model.name, fighter.bp),
    };
    drawn.button(
        scene,
        html! {
            (picture(scene, fighter.model, "small"))
            b class=(change) { (fighter.bp) }
            span.marks { @for mark in &marks { (mark.markup(scene)) } }
            @if let Some((attacker, _)) = blocks { span hidden data-blocks=(key(*attacker)) {} }
            @if let Some(lead) = lead { span hidden data-joins=(key(lead)) {} }
            (facts(scene, fighter.model, Some(fighter), why.as_deref()))
        },
    )
}

/// A marker on a character: the package's picture if it has one, and words.
struct MarkerMark {
    /// The package's name for it (G17); empty if it has none.
    marker: &'static str,
    class: &'static str,
    tone: &'static str,
    /// How many, if it may be more than one.
    count: String,
    words: String,
    title: String,
}

impl MarkerMark {
    fn markup(&self, scene: &SeatScene<'_>) -> Markup {
        let picture = scene
            .catalogue()
            .marker_or(self.marker, built_in_for(self.marker));
        html! {
            i.m.(self.tone) title=(self.title) {
                @if let Some((at, _)) = picture {
                    img src=(format!("/marker/{at}")) alt="" width="14" height="14";
                }
                (self.count) span.w { (self.words) }
            }
        }
    }
}

/// Which of the markers that every game has stands for one of the rules (P123). Words alone stand for
/// the others.
fn built_in_for(marker: &str) -> &'static str {
    match marker {
        "Attack" => "Red",
        "United Attack" => "Orange",
        "Counter-attack" => "Brown",
        "Just Entered" => "Green",
        "Backup" => "Blue",
        _ => "",
    }
}

/// What lies on a character, the most urgent first (G17, G18).
fn marks(scene: &SeatScene<'_>, fighter: &CharacterView, printed: &CardModel) -> Vec<MarkerMark> {
    let leads = scene.view.united.first() == Some(&fighter.card);
    let lost = printed.ability.is_some() && fighter.ability.is_none();
    let backups = fighter.backups.len();
    let flags = [
        (fighter.attacks && leads, "Attack", "attacks", "hot", "leads"),
        (fighter.attacks && !leads, "Attack", "attacks", "hot", "attacks"),
        (fighter.follows, "United Attack", "follows", "hot", "joins"),
        (fighter.blocks, "Counter-attack", "counters", "hot", "counters"),
        (fighter.frozen, "", "frozen", "cold", "frozen"),
        (fighter.fresh, "Just Entered", "fresh", "plain", "fresh"),
        (fighter.activated, "", "used", "cold", "ability used"),
        (lost, "", "", "plain", "no ability"),
    ];
    let mut marks: Vec<MarkerMark> = flags
        .into_iter()
        .filter(|(holds, ..)| *holds)
        .map(|(_, marker, class, tone, words)| MarkerMark {
            marker,
            class,
            tone,
            count: String::new(),
            words: words.to_owned(),
            title: labels::mark(words).to_owned(),
        })
        .collect();
    if backups > 0 {
        marks.push(MarkerMark {
            marker: "Backup",
            class: "",
            tone: "plain",
            count: format!("+{backups}"),
            words: labels::BACK_UP.to_owned(),
            title: labels::backed_up(scene.game().constants.backup_bp),
        });
    }
    marks.extend(fighter.keywords.iter().map(|keyword| MarkerMark {
        marker: keyword.word(),
        class: "",
        tone: "plain",
        count: String::new(),
        words: labels::keyword_mark(*keyword).to_owned(),
        title: labels::keyword(*keyword),
    }));
    marks
}

/// What the pictures on cards mean: on small cards they stand without their words.
pub(crate) fn legend(scene: &SeatScene<'_>) -> Markup {
    let marks = [
        ("Just Entered", "plain", "fresh"),
        ("Attack", "hot", "attacks"),
        ("United Attack", "hot", "joins"),
        ("Counter-attack", "hot", "counters"),
    ];
    let marks = marks.map(|(marker, tone, words)| MarkerMark {
        marker,
        class: "",
        tone,
        count: String::new(),
        words: words.to_owned(),
        title: labels::mark(words).to_owned(),
    });
    let backup = MarkerMark {
        marker: "Backup",
        class: "",
        tone: "plain",
        count: "+1".to_owned(),
        words: labels::BACK_UP.to_owned(),
        title: labels::backed_up(scene.game().constants.backup_bp),
    };
    html! {
        ul.legend {
            @for mark in marks.iter().chain([&backup]) { li { (mark.markup(scene)) " " (mark.title) } }
        }
    }
}

/// What a card is, for those who do not see its picture.
pub(crate) fn summary(game: &Game, model: &CardModel) -> String {
    let mut words = labels::card_type(model.card_type).to_owned();
    if model.is_character() {
        words.push_str(&format!(", {} BP", model.bp));
    }
    words.push_str(&format!(", {} SP", cw_words::signed(model.sp)));
    let names: Vec<&str> = backups(game, model).collect();
    if !names.is_empty() {
        words.push_str(&format!(", {}", labels::backup_names(&names)));
    }
    if !model.text.is_empty() {
        words.push_str(&format!(". {}", model.text));
    }
    words
}

/// A card with its place on the table.
struct PlacedCard {
    card: CardId,
    model: ModelId,
    class: String,
    label: String,
}

impl PlacedCard {
    #[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
    fn button(&self, scene: &SeatScene<'_>, inside: Markup) -> Markup {
        let asks = if scene.is_asked_about(self.card) {
            " asks"
        } else {
            ""
        };
        let offers = scene.offers_on(self.card);
        let vain = if !offers.is_empty() && offers.iter().all(|offer| offer.idle) {
            " vain"
        } else {
            ""
        };
        let class = &format!("{}{asks}{vain}", self.class);
        let (key, label, model) = (key(self.card), &self.label, self.model.0);
        let cue = scene.table.cue();
        let cued = |offer: &&&AnswerButton| scene.live && cue == Some(offer.choice);
        let cued = offers.iter().any(|offer| cued(&offer));
        html! {
            @match offers[..] {
                [] => button.(class) type="button" data-card=(key) data-model=(model) aria-label=(label) {
                    (inside)
                },
                [only] => button.(class).legal.cue[cued] type="submit" form="answer" name="o"
                    value=(only.index) data-card=(key) data-model=(model)
                    aria-label=(format!("{}. {label}", only.label)) { (inside) },
                _ => {
                    button.(class).legal.cue[cued] type="button" popovertarget=(format!("menu-{key}"))
                        data-card=(key) data-model=(model) aria-haspopup="menu"
                        aria-label=(format!("{}. {label}", labels::CHOOSE_WHAT)) { (inside) }
                    div.menu popover id=(format!("menu-{key}")) data-of=(key) {
                        @for offer in offers {
                            button.cue[cue == Some(offer.choice)] type="submit" form="answer" name="o"
                                value=(offer.index) {
                                span {
                                    (offer.label)
                                    @if let Some(then) = &offer.consequence { " " small.then { (then) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What the enlarged card says beside its picture.
pub(crate) fn facts(
    scene: &SeatScene<'_>,
    model: ModelId,
    fighter: Option<&CharacterView>,
    why: Option<&str>,
) -> Markup {
    let printed = scene.game().model(model);
    html! {
        span.facts hidden {
            @if let Some(fighter) = fighter { (now(scene, printed, fighter)) }
            @if let Some(why) = why { span.why { (why) } }
            @if let Some(kind) = printed.ability_kind() { span { (labels::ability(kind)) } }
            @if !printed.backups.is_empty() { (icons(scene.game(), printed)) }
            @for reminder in labels::reminders(&printed.text) { span { (reminder) } }
            (forms(scene, model))
        }
    }
}

/// The plates at the foot of the face: who may back the character up.
fn icons(game: &Game, printed: &CardModel) -> Markup {
    let names: Vec<&str> = backups(game, printed).collect();
    html! {
        span.icons title=(labels::backup_icons(&names, game.constants.backup_bp)) {
            @for name in &names { i.icon aria-hidden="true" { (labels::backup_icon(name)) } " " }
            (labels::backup_icons(&names, game.constants.backup_bp))
        }
    }
}

/// The subtypes that may back a character up.
pub(super) fn backups<'a>(game: &'a Game, printed: &'a CardModel) -> impl Iterator<Item = &'a str> {
    let name =
        |subtype: &cw_program::SubtypeId| game.subtypes.get(usize::from(subtype.0)).map(|name| &**name);
    printed.backups.iter().filter_map(name)
}

/// What a character is at the moment.
fn now(scene: &SeatScene<'_>, printed: &CardModel, fighter: &CharacterView) -> Markup {
    let other = fighter.ability.filter(|of| *of != fighter.model);
    html! {
        span {
            b { (insight::number(scene, ExplainedNumber::Bp(fighter.card), &format!("{} BP", fighter.bp))) }
            @if fighter.bp != printed.bp { " " (labels::printed(printed.bp)) }
        }
        @if let Some(of) = other {
            span {
                (labels::HAS_ABILITY_OF)
                b { (scene.game().model(of).name) } ": " (scene.game().model(of).text)
            }
        }
        @for backup in fighter.backups.iter().filter_map(|backup| backup.model) {
            span { (labels::backed_up_by(&scene.game().model(backup).name)) }
        }
        @for mark in marks(scene, fighter, printed) { span { (mark.markup(scene)) " " (mark.title) } }
    }
}

/// The card's other forms, which the enlarged card pages through.
fn forms(scene: &SeatScene<'_>, model: ModelId) -> Markup {
    let forms = scene
        .catalogue()
        .printed(model)
        .map_or(&[][..], |printed| &printed.alternates);
    html! {
        @for (at, form) in forms.iter().enumerate() {
            @let source = match form.picture {
                Some(_) => format!("/picture/{}/{at}", model.0),
                None => format!("/face/{}/form/{at}.svg", model.0),
            };
            span.form hidden data-src=(source) data-name=(form.name) { (form.kind) }
        }
    }
}
