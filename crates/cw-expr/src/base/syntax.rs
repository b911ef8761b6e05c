/// Liberties a dialect takes with the grammar; plain Python takes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Syntax {
    /// Names, keywords and the texts of literals are lower-cased.
    pub fold_case: bool,
    /// `a.0` takes an element.
    pub dot_index: bool,
    /// `all X in L` and `any X in L` are forms.
    pub groups: bool,
    /// `true`, `false`, `none` and `nil` are constants.
    pub constants: bool,
}
