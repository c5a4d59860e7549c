import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that require no more than attribution; any other licence is for people to decide on. */
export const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

const PREFIX = 'node_modules/';

/**
 * The production packages in the lockfile, including those for other platforms, each with its SPDX licence from the lockfile
 * or else from the package itself.
 */
export function productionLicences(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith(PREFIX) && !dev && !link)
    .map(([path, { license, version }]) => {
      const name = path.slice(path.lastIndexOf(PREFIX) + PREFIX.length);
      return { name, version, licence: license ?? licenceOfPackage(join(root, path)) };
    });
}

/** Whether allowed licences alone satisfy an SPDX expression. False if it cannot be parsed. */
export function isAllowedLicence(expression) {
  const tokens = expression?.match(/[()]|[\w.+-]+/g) ?? [];
  let next = 0;
  const isAnyOf = () => {
    let isAllowed = isAllOf();
    while (tokens[next] === 'OR') {
      next++;
      isAllowed = isAllOf() || isAllowed;
    }
    return isAllowed;
  };
  const isAllOf = () => {
    let isAllowed = isTerm();
    while (tokens[next] === 'AND') {
      next++;
      isAllowed = isTerm() && isAllowed;
    }
    return isAllowed;
  };
  const isTerm = () => {
    const token = tokens[next++];
    if (token !== '(') {
      return ALLOWED_LICENCES.has(token);
    }
    const isAllowed = isAnyOf();
    return tokens[next++] === ')' && isAllowed;
  };
  return isAnyOf() && next === tokens.length;
}

function licenceOfPackage(directory) {
  const file = join(directory, 'package.json');
  if (!existsSync(file)) {
    return undefined;
  }
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  // Before SPDX, packages listed objects; any one of them may be chosen.
  const named = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  return typeof named === 'string' && named !== '' ? named : undefined;
}
