//! What the arguments of `cargo xtask dist` ask for.

use anyhow::{Context, bail};

/// One form in which the program is handed out, or a file that belongs to all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DistForm {
    /// The program with manual pages and completions, compressed.
    Archive,
    /// Program and module for Python.
    Wheel,
    /// Two packages for Node.
    Npm,
    /// A package for Debian and what comes from it.
    Deb,
    /// What a container is built from.
    Container,
    /// The bill of materials.
    Sbom,
    /// The licences of all parts.
    Licences,
}

impl DistForm {
    pub(super) const ALL: [DistForm; 7] = [
        DistForm::Licences,
        DistForm::Sbom,
        DistForm::Archive,
        DistForm::Npm,
        DistForm::Deb,
        DistForm::Container,
        DistForm::Wheel,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            DistForm::Archive => "archive",
            DistForm::Wheel => "wheel",
            DistForm::Npm => "npm",
            DistForm::Deb => "deb",
            DistForm::Container => "container",
            DistForm::Sbom => "sbom",
            DistForm::Licences => "licences",
        }
    }
}

/// What to make, in the order of making, and whether to try it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DistPlan {
    pub(super) forms: Vec<DistForm>,
    /// Each is installed into an empty place and plays there.
    pub(super) is_tried: bool,
}

impl DistPlan {
    pub(super) fn read(arguments: &[String]) -> anyhow::Result<DistPlan> {
        let mut plan = DistPlan {
            forms: DistForm::ALL.to_vec(),
            is_tried: false,
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--test" => plan.is_tried = true,
                "--only" => {
                    let names = rest
                        .next()
                        .context("--only: name what to make, with commas between")?;
                    plan.forms = only(names)?;
                }
                other => bail!("`{other}` is not an argument of dist; write --only NAME,… or --test"),
            }
        }
        Ok(plan)
    }

    /// Whether the program must be built for it.
    pub(super) fn needs_program(&self) -> bool {
        let is_text = |form: &DistForm| matches!(form, DistForm::Sbom | DistForm::Licences);
        !self.forms.iter().all(is_text)
    }
}

fn only(names: &str) -> anyhow::Result<Vec<DistForm>> {
    let names: Vec<&str> = names.split(',').collect();
    if let Some(unknown) = names
        .iter()
        .find(|name| !DistForm::ALL.iter().any(|form| form.name() == **name))
    {
        let all = DistForm::ALL.map(DistForm::name).join(", ");
        bail!("--only: `{unknown}` cannot be made; choose from {all}");
    }
    let chosen = |form: &DistForm| names.contains(&form.name());
    Ok(DistForm::ALL.into_iter().filter(chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<DistPlan, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        DistPlan::read(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_choose_what_is_made() {
        let all = read(&[]).expect("nothing is needed");
        assert_eq!(all.forms, DistForm::ALL);
        assert!(!all.is_tried && all.needs_program());
        let some = read(&["--only", "wheel,archive", "--test"]).expect("they are known");
        assert_eq!(some.forms, [DistForm::Archive, DistForm::Wheel]);
        assert!(some.is_tried);
        assert!(
            !read(&["--only", "sbom,licences"])
                .expect("they are known")
                .needs_program()
        );
    }

    #[test]
    fn wrong_arguments_are_named_with_the_right_ones() {
        let why = read(&["--only", "whell"]).expect_err("it is misspelt");
        assert!(why.contains("`whell`") && why.contains("wheel"), "{why}");
        assert!(read(&["--only"]).is_err());
        assert!(read(&["--tset"]).expect_err("it is misspelt").contains("--test"));
    }
}
