// Imported before the identity library, which warns of each Node release that is not named "LTS". Ours is pinned and tested.
process.release.lts ??= process.version
