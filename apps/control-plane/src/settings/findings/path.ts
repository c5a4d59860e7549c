import { showText } from './show-value.js';

/** From the root of the file: keys of maps and indices of lists. */
export type Path = readonly (string | number)[];

const PLAIN_KEY = /^[\w-]{1,80}$/;

/** `proxy_pools.premium.replicas`, `namespace_routing[3].pool`, `proxy_pools["two\nlines"]`; fit for a terminal. */
export function formatPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') {
        return `[${part}]`;
      }
      if (!PLAIN_KEY.test(part)) {
        return `[${showText(part)}]`;
      }
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}

/** Whether `path` is `ancestor` or leads through it. */
export function isWithin(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((part, index) => part === path[index]);
}
