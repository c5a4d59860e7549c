import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json } from './merge-patch.js';

const DEPLOY = join(import.meta.dirname, '../../../../../deploy/kubernetes');

/** What a file of deploy/kubernetes holds. */
export function readManifests(file: string): Json[] {
  return parseAllDocuments(readFileSync(join(DEPLOY, file), 'utf8')).map((document) => document.toJS() as Json);
}
