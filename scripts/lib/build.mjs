import { elapsed, run } from './run.mjs';

const APPS = ['scim-service', 'control-plane'];

/** Builds both apps into dist/ and says how long it took. False when one does not compile; the compiler has said why. */
export async function build() {
  const startedAt = performance.now();
  const codes = await Promise.all(APPS.map((app) => run('nest', ['build', app])));
  const isBuilt = codes.every((code) => code === 0);
  console.log(isBuilt ? `Built ${APPS.join(' and ')} in ${elapsed(startedAt)}.` : 'The build failed.');
  return isBuilt;
}
