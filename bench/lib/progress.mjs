const startedAt = performance.now();

/** Tells on standard error what is going on; standard output is for the result. @param {string} text */
export function progress(text) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${text}\n`);
}
