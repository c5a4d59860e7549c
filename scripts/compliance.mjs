/**
 * Makes docs/compliance.md from test/compliance/requirements.yaml and the titles of the tests.
 *
 * A test pins a requirement by carrying its id in its title: `it('[RFC7644-3.6-5] …')`. An id without the last number,
 * such as `[RFC7644-3.6]`, only names the section it is about. Tests that do not run pin nothing.
 *
 * `--check` writes nothing and also fails when docs/compliance.md is out of date.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import ts from 'typescript';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const CATALOGUE = join(ROOT, 'test/compliance/requirements.yaml');
const REPORT = join(ROOT, 'docs/compliance.md');
const SPECS = '{apps,libs,examples,test}/**/*{.,-}spec.ts';

const LEVELS = new Set(['MUST', 'MUST NOT', 'SHALL', 'SHALL NOT', 'REQUIRED', 'SHOULD', 'SHOULD NOT', 'RECOMMENDED']);

/** `it.skip` and the like: tests that do not run, or are expected to fail, pin nothing. */
const INERT = ['skip', 'todo', 'failing'];

/** Every bracketed id, well-formed or not, so that a mistyped one is reported. */
const ID = /\[(RFC ?\d+[^\]]*)\]/g;

/** `{ document, ordinal }` of a requirement's id. */
function parseId(id) {
  const [, document = '', ordinal = ''] = /^(RFC\d+)-.*-(\d+)$/.exec(id) ?? [];
  return { document, ordinal: Number(ordinal) };
}

/** All requirements in order of document, section and appearance; those that do not apply have a `reason`. */
function readCatalogue() {
  const { sections, requirements, not_applicable: notApplicable } = parse(readFileSync(CATALOGUE, 'utf8'));
  const documents = new Map(Object.entries(sections).map(([name, list]) => [name, list.split(' ')]));
  const names = [...documents.keys()];
  const position = ({ id, line }) => [names.indexOf(parseId(id).document), line, parseId(id).ordinal];
  const entries = [...requirements, ...notApplicable].sort((a, b) => {
    const there = position(b);
    return (
      position(a)
        .map((part, index) => part - there[index])
        .find((difference) => difference !== 0) ?? 0
    );
  });
  return { documents, entries };
}

/** Problems of the catalogue itself: ids must be numbered within each section in order of appearance. */
function findCatalogueProblems({ documents, entries }) {
  const problems = [];
  const counts = new Map();
  for (const { id, section, level, line, text } of entries) {
    const { document } = parseId(id);
    const sectionId = `${document}-${section}`;
    const ordinal = (counts.get(sectionId) ?? 0) + 1;
    counts.set(sectionId, ordinal);
    if (id !== `${sectionId}-${ordinal}`) {
      problems.push(`${id}: expected the id ${sectionId}-${ordinal} at line ${line}`);
    }
    if (!documents.get(document)?.includes(section)) {
      problems.push(`${id}: ${document} has no section ${section}`);
    }
    if (!LEVELS.has(level) || !text) {
      problems.push(`${id}: expected a level of RFC 2119 and a text, found ${level}: ${text}`);
    }
  }
  return problems;
}

/** The names in `it`, `it.only`, `it.each(table)` and the like, outermost last: `['each', 'it']`. */
function calleeNames(expression) {
  const names = [];
  let rest = expression;
  while (!ts.isIdentifier(rest)) {
    if (ts.isPropertyAccessExpression(rest)) {
      names.push(rest.name.text);
    }
    const next = rest.expression ?? rest.tag;
    if (next === undefined) {
      return [];
    }
    rest = next;
  }
  return [...names, rest.text];
}

/** The literal text of a title, whether a string, a template or several joined by `+`. */
function literalText(node) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
    return node.text;
  }
  const parts = [];
  ts.forEachChild(node, (child) => {
    parts.push(literalText(child));
  });
  return parts.join('');
}

/** The titles of the tests in one file that can pin a requirement. */
function findTitles(path) {
  const source = readFileSync(path, 'utf8');
  if (!source.includes('[RFC')) {
    return [];
  }
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const names = calleeNames(node.expression);
      if (INERT.some((name) => names.includes(name))) {
        return;
      }
      const [title] = node.arguments;
      if (['it', 'test'].includes(names.at(-1)) && title !== undefined && !isTable(node)) {
        titles.push(literalText(title));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  return titles;
}

/** Whether a call is the `it.each(table)` whose result is then called with the title. */
function isTable({ expression }) {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'each';
}

/** The test files by the id that a title in them carries. */
function collectPins() {
  const pins = new Map();
  for (const path of globSync(SPECS, { cwd: ROOT }).sort()) {
    for (const title of findTitles(join(ROOT, path))) {
      for (const [, id] of title.matchAll(ID)) {
        pins.set(id, (pins.get(id) ?? new Set()).add(path));
      }
    }
  }
  return pins;
}

/** Titles with unknown ids, requirements without a test, and tests of requirements that do not apply. */
function findPinProblems({ documents, entries }, pins) {
  const problems = [];
  const requirementIds = new Set(entries.map(({ id }) => id));
  const sectionIds = new Set([...documents].flatMap(([name, list]) => list.map((section) => `${name}-${section}`)));
  // Tests may name sections of RFCs that the catalogue does not cover, such as RFC 6749.
  const isElsewhere = (id) => /^RFC\d+-\d+(\.\d+)*$/.test(id) && !documents.has(id.split('-', 1)[0]);
  for (const [id, paths] of pins) {
    if (!requirementIds.has(id) && !sectionIds.has(id) && !isElsewhere(id)) {
      problems.push(`[${id}] in ${[...paths].join(', ')}: no such requirement or section`);
    }
  }
  for (const { id, reason, text } of entries) {
    if (reason === undefined && !pins.has(id)) {
      problems.push(`${id}: no test pins "${text}"`);
    }
    if (reason !== undefined && pins.has(id)) {
      problems.push(`${id}: said not to apply, yet pinned by ${[...pins.get(id)].join(', ')}`);
    }
  }
  return problems;
}

function describeStatus({ id, reason }, pins) {
  if (reason !== undefined) {
    return ['not applicable', reason];
  }
  const links = [...(pins.get(id) ?? [])].map((path) => `[${basename(path, '.ts')}](${relative('docs', path)})`);
  return links.length > 0 ? ['pinned', links.join(', ')] : ['unpinned', ''];
}

function renderTable(document, entries, pins) {
  const url = `https://www.rfc-editor.org/rfc/${document.toLowerCase()}#section-`;
  const rows = entries.map((entry) => {
    const cells = [`[${entry.id}](${url}${entry.section})`, entry.level, entry.text, ...describeStatus(entry, pins)];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    `## ${document.replace('RFC', 'RFC ')}`,
    '',
    '<!-- prettier-ignore-start -->',
    '| requirement | level | what it demands | status | test, or why it does not apply |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '<!-- prettier-ignore-end -->',
    '',
  ].join('\n');
}

function render({ documents, entries }, pins) {
  const unmet = entries.filter(({ id, reason }) => reason === undefined && !pins.has(id)).length;
  const skipped = entries.filter(({ reason }) => reason !== undefined).length;
  const pinned = entries.length - skipped - unmet;
  return [
    '# Compliance with the SCIM specifications',
    '',
    'Generated by `node scripts/compliance.mjs` from `test/compliance/requirements.yaml` and the titles of the tests.',
    '',
    `Of ${entries.length} requirements to a service provider, ${pinned} are pinned by a test, ${unmet} are not, and ${skipped} do not apply.`,
    '',
    ...[...documents.keys()].map((document) =>
      renderTable(
        document,
        entries.filter(({ id }) => parseId(id).document === document),
        pins,
      ),
    ),
  ].join('\n');
}

function readReport() {
  try {
    return readFileSync(REPORT, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

const catalogue = readCatalogue();
const pins = collectPins();
const problems = [...findCatalogueProblems(catalogue), ...findPinProblems(catalogue, pins)];
const report = render(catalogue, pins);
if (!process.argv.includes('--check')) {
  writeFileSync(REPORT, report);
} else if (readReport() !== report) {
  problems.push('docs/compliance.md is out of date: run node scripts/compliance.mjs');
}
for (const problem of problems) {
  process.stderr.write(`${problem}\n`);
}
process.exitCode = problems.length > 0 ? 1 : 0;
