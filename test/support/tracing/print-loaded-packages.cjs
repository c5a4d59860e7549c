/** Preloaded into a service: prints which packages of OpenTelemetry it has loaded when it ends. */
const { writeSync } = require('node:fs');
const Module = require('node:module');

process.on('exit', () => {
  const packages = Object.keys(Module._cache).map((path) => /node_modules\/(@opentelemetry\/[\w-]+)\//.exec(path)?.[1]);
  const names = [...new Set(packages.filter((name) => name !== undefined))].sort();
  writeSync(1, `loaded: ${names.join(' ')}\n`);
});
