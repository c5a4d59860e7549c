/**
 * Ends the process when its Node.js is too old, before any other module runs: the programs import this library first, and it
 * imports this first. A Node.js that cannot even link the rest (18) fails before.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`Palisade needs Node.js 22.12 or later, and this is ${process.versions.node}\n`);
  process.exit(1);
}
