#!/usr/bin/env node
'use strict';
/* Old syntax, so that a Node.js that is too old says so instead of failing at what it cannot read. */
var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 12)) {
  process.stderr.write('palisade needs Node.js 22.12 or later, and this is ' + process.versions.node + '\n');
  process.exit(1);
}
import('../dist/main.js');
