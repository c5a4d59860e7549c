import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderCommandReference } from './render-reference.js';

const DOCUMENT = join(import.meta.dirname, '../../docs/cli.md');

describe(renderCommandReference.name, () => {
  const sections = renderCommandReference().split(/\n\n(?=#)/);

  it('is what docs/cli.md says (npm run docs)', () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    expect(sections.filter((section) => !document.includes(section))).toEqual([]);
  });

  it('names no command that there is not (npm run docs)', () => {
    const headings = readFileSync(DOCUMENT, 'utf8').match(/^##+ `.*`$/gm);
    expect(headings).toEqual(sections.map((section) => section.split('\n')[0]));
  });

  it('has an example of every command', () => {
    expect(sections.filter((section) => !section.includes('\nExample:\n'))).toEqual([]);
  });
});
