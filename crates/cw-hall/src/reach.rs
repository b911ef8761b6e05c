//! The name under which others in the network reach the tables.

/// The one name, beside this machine's own, under which the tables answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkReach {
    /// As the head of a request names it: an address of version 6 stands in brackets.
    pub name: String,
    /// The port there.
    pub port: u16,
}

impl NetworkReach {
    /// As the head of a request names it: an address of version 6 stands in brackets.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Before the path of a link.
    pub fn origin(&self) -> String {
        format!("http://{}:{}", self.name, self.port)
    }
}
