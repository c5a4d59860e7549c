import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const EXCLUDED = new Set(['node_modules', 'dist', '.git', 'coverage', '.palisade']);
const DOCUMENTS = globSync('**/*.md', {
  cwd: ROOT,
  exclude: (name) => EXCLUDED.has(name.split('/').at(-1) ?? ''),
}).sort();
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
/** Links to other sites, which are not checked. */
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The prose of a document: without code blocks and inline code. */
function proseOf(document: string): string {
  return document.replaceAll(/^( *)(`{3,}|~{3,}).*?^\1\2/gms, '').replaceAll(/`[^`\n]*`/g, 'code');
}

/** Decisions and released changes name what there was at their time. */
function isHistory(path: string): boolean {
  return path === 'CHANGELOG.md' || path.startsWith('docs/adr/');
}

function linksIn(path: string): string[] {
  const links = proseOf(read(path)).matchAll(/\]\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\))?[^\s<>()]*)>?[^)]*\)/g);
  return [...links].map(([, target = '']) => target).filter((target) => !ELSEWHERE.test(target));
}

/** The anchors of a document's headings, as GitHub generates them. */
function anchorsOf(path: string): Set<string> {
  const headings = [
    ...read(path)
      .replaceAll(/^( *)(`{3,}).*?^\1\2/gms, '')
      .matchAll(/^#{1,6} +(.+?) *$/gm),
  ];
  const slugs = headings.map(([, text = '']) =>
    text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  const seen = new Map<string, number>();
  return new Set(
    slugs.map((slug) => {
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}

/** Why a link is broken; undefined when it is not. */
function problemOf(from: string, link: string): string | undefined {
  const [path = '', anchor] = decodeURIComponent(link).split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (target.startsWith('..') || !existsSync(join(ROOT, target))) {
    return `${from}: ${link}: there is no ${target}`;
  }
  const isKnown = anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor);
  return isKnown ? undefined : `${from}: ${link}: ${target} has no such heading`;
}

describe('the documentation', () => {
  it('is found', () => {
    expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/operations.md']));
  });

  it.each(DOCUMENTS)('has no broken link in %s', (path) => {
    expect(linksIn(path).flatMap((link) => problemOf(path, link) ?? [])).toEqual([]);
  });

  it.each(DOCUMENTS)('names no script in %s that package.json does not have', (path) => {
    const named = [...read(path).matchAll(/\bnpm run (?:--silent )?([\w:-]*\w)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it.each(DOCUMENTS)('names no program in %s that is not built', (path) => {
    const named = [...read(path).matchAll(/\bnode (?:--[\w-]+ )*dist\/([\w./-]+)\.js/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !existsSync(join(ROOT, `${name}.ts`)))).toEqual([]);
  });

  it.each(DOCUMENTS.filter((path) => !isHistory(path)))('names no file or folder in %s that does not exist', (path) => {
    const named = [...read(path).matchAll(/`((?:apps|libs|cli|examples|bench|scripts|test|deploy)\/[^\s`]+)`/g)];
    const patterns = named.map(([, name = '']) => name.replaceAll(/<[^>]+>/g, '*'));
    expect(patterns.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)).toEqual([]);
  });

  it('can be reached from README.md', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const targets = linksIn(path).map((link) => normalize(join(dirname(path), link.split('#')[0] ?? '')));
      targets
        .filter((target) => target.endsWith('.md') && existsSync(join(ROOT, target)))
        .forEach((target) => reached.add(target));
      // A link to a folder reaches everything in it.
      const inside = DOCUMENTS.filter((document) => targets.includes(dirname(document)));
      inside.forEach((document) => reached.add(document));
    }
    const guides = DOCUMENTS.filter((path) => !relative('docs', path).startsWith('..'));
    expect(guides.filter((path) => !reached.has(path))).toEqual([]);
  });
});

describe('docs/control-plane/proxies.md', () => {
  const [, section = ''] = /^## What a proxy does\n(.*?)^## /ms.exec(read('docs/control-plane/proxies.md')) ?? [];
  const rows = [...section.matchAll(/^\| (.+?) +\|/gm)].map(([, row = '']) => row).slice(2);
  const specs = globSync('{apps,examples,libs,test}/**/*spec.ts', { cwd: ROOT }).map(read).join('');
  const shown = new Set([...specs.matchAll(/\(\s*'\[([^\]\n]+)\] /g)].map(([, row = '']) => row));

  it('says in a table what a proxy does', () => {
    expect(rows).toContain('no policy, ever');
  });

  it.each(rows)('says what a test shows of a proxy that finds %s', (row) => {
    expect(shown).toContain(row);
  });
});

describe('docs/operations.md', () => {
  const operations = read('docs/operations.md');
  const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it('says what to do on each alert', () => {
    const alerts = rules.map(({ alert }) => alert);
    expect(alerts.length).toBeGreaterThan(5);
    expect(alerts.filter((alert) => !operations.includes(`| \`${alert}\``))).toEqual([]);
  });

  it('says what each metric of the control plane means', () => {
    const source = globSync('apps/control-plane/src/**/*metrics.ts', { cwd: ROOT }).map(read).join('');
    const names = [...source.matchAll(/'((?:control_plane|kubernetes)_[a-z_]+)'/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !operations.includes(`| \`${name}\``))).toEqual([]);
  });
});
