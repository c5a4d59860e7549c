import { isObject } from '@palisade/domain';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { ENTERPRISE_USER_URN } from '../urns.js';
import { isList } from '../values/document-values.js';

/** As Microsoft's documentation writes the URN of the enterprise extension in its example of a create; in lower case. */
const MISSPELT_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0user';

/**
 * A user as Entra ID sends one, in the form of RFC 7643 §3.3: attributes of an extension that stand at the top by their
 * short names (`department`) go into the extension, where they are unless it says something else itself, and the
 * misspelt URN of the enterprise extension is taken for the right one.
 */
export function correctEntraUser(body: unknown, schema: ResourceSchema): unknown {
  if (!isObject(body)) {
    return body;
  }
  const corrected = new Map<string, unknown>();
  const moved = new Map<string, [string, unknown][]>();
  for (const [given, value] of Object.entries(body)) {
    const name = correctUrn(given);
    const [urn, attribute, ...rest] =
      schema.findAttribute(name) === undefined ? (schema.resolve(name)?.path ?? []) : [];
    if (urn !== undefined && attribute !== undefined && rest.length === 0 && schema.findExtension(urn) !== undefined) {
      moved.set(urn, [...(moved.get(urn) ?? []), [attribute, value]]);
    } else {
      corrected.set(name, name.toLowerCase() === 'schemas' && isList(value) ? value.map(correctUrn) : value);
    }
  }
  for (const [urn, attributes] of moved) {
    const name = [...corrected.keys()].find((key) => key.toLowerCase() === urn.toLowerCase()) ?? urn;
    const own = corrected.get(name);
    corrected.set(name, { ...Object.fromEntries(attributes), ...(isObject(own) ? own : {}) });
  }
  return Object.fromEntries(corrected);
}

function correctUrn<T>(name: T): T | string {
  return typeof name === 'string' && name.toLowerCase() === MISSPELT_URN ? ENTERPRISE_USER_URN : name;
}
