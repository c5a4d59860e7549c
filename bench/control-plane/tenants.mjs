/** Beginnings of eight lengths, as customers' names have different ones. */
const BEGINNINGS = ['', 'eu-', 'corp-', 'retail-', 'shop-of-', 'division-', 'department-', 'organization-'];
const HASH = 2_654_435_761;

/** The name of one tenant; those of the next one share nothing with it but a beginning. @param {number} at */
export function tenantName(at) {
  const unlike = (Math.imul(at + 1, HASH) >>> 0).toString(36).padStart(7, '0');
  return `${BEGINNINGS[at % BEGINNINGS.length]}${unlike}`;
}

/** Half of the tenants have one namespace, half have all that begin with their name. @param {number} at */
export function patternOf(at) {
  return isName(at) ? tenantName(at) : `${tenantName(at)}-*`;
}

/**
 * Namespaces of tenants that lie far from each other, each a text of its own.
 *
 * @param {number} tenants
 * @param {number} count
 */
export function namespacesOf(tenants, count) {
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor((index * tenants) / count);
    return isName(at) ? tenantName(at) : `${tenantName(at)}-orders-${index % 100}`;
  });
}

/** Not every second one, as then each beginning would have only one of both. @param {number} at */
function isName(at) {
  return Math.floor(at / BEGINNINGS.length) % 2 === 1;
}
