/**
 * Ends the process when its Node.js is too old, before any other module runs. The services import only this, and then the
 * rest dynamically, because Node.js 18 cannot link it; the commands import the index of this library first.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`Palisade needs Node.js 22.12 or later, and this is ${process.versions.node}\n`);
  process.exit(1);
}
