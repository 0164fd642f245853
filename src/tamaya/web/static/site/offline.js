// The page without a connection goes on by itself as soon as there is one.
addEventListener("online", () => location.reload());
