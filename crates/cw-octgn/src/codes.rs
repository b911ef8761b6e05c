//! The names of the findings about packages; `docs/findings/packages.md` says what each means.

use cw_text::FindingCode;

macro_rules! codes {
    ($($code:ident)*) => {
        $(
            #[doc = concat!("`cardwright explain ", stringify!($code), "` says what it means.")]
            pub const $code: FindingCode = FindingCode(stringify!($code));
        )*

        /// Every code, in order: each has a page.
        pub const ALL: &[FindingCode] = &[$($code),*];
    };
}

codes! {
    PK001 PK002 PK003 PK004 PK005 PK006 PK007 PK008 PK009 PK010 PK011 PK012 PK013 PK014
    PK015 PK020 PK021 PK022 PK023 PK024 PK025 PK026 PK027 PK028 PK029 PK030 PK031 PK032
    PK033 PK034 PK035 PK036 PK037 PK038 PK039 PK040 PK041 PK042 PK043 PK050 PK051 PK052
    PK053 PK054 PK055 PK056 PK057 PK058 PK060 PK061 PK062 PK063 PK064 PK065 PK066 PK070
    PK071 PK072 PK073 PK074 PK075 PK076 PK077 PK078 PK079 PK080 PK081 PK082 PK083 PK084
    PK085 PK086 PK090 PK091 PK092 PK093 PK094 PK095 PK096 PK100 PK101 PK102 PK103 PK110
    PK111 PK112 PK113 PK114 PK115 PK116 PK120 PK121 PK122 PK123 PK124 PK125 PK126 PK127
    PK128 PK130 PK131 PK132 PK133 PK134 PK135 PK136 PK137 PK138 PK139 PK140 PK141 PK142
    PK143 PK144 PK145 PK146 PK147 PK148 PK149 PK150 PK151 PK152 PK153 PK154 PK155 PK156
    PK157 PK158 PK165 PK166
}

#[cfg(test)]
mod tests {
    use crate::PAGES;

    #[test]
    fn every_code_has_a_page() {
        let pages: Vec<_> = PAGES.iter().map(|page| page.code).collect();
        assert_eq!(pages, super::ALL);
    }
}
