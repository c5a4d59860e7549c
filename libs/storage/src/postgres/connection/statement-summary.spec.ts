import { describe, expect, it } from '@jest/globals';
import { summarize } from './statement-summary.js';

describe(summarize.name, () => {
  it.each([
    ['select id from resources where id = $1', 'SELECT', 'SELECT resources'],
    ['\n  SELECT r.* FROM "resources" r for update of r', 'SELECT', 'SELECT resources'],
    ['insert into "audit_events" (id) select $1', 'INSERT', 'INSERT audit_events'],
    ['update providers set version = version + 1', 'UPDATE', 'UPDATE providers'],
    ['delete from bindings where id = $1', 'DELETE', 'DELETE bindings'],
    ['with page as (select * from resources) select * from page', 'SELECT', 'SELECT resources'],
    ['with gone as (delete from memberships returning *) select count(*) from gone', 'DELETE', 'DELETE memberships'],
    ['with one as (select 1 from tenants for update) select * from one', 'SELECT', 'SELECT tenants'],
    ['select value from json_to_recordset($1) join tenants on true', 'SELECT', 'SELECT'],
    ['select (select count(*) from (select 1 from memberships) m) from resources', 'SELECT', 'SELECT resources'],
    ['select (select f(g(a)) from (select 1 from x) y), now() from resources', 'SELECT', 'SELECT resources'],
    ['select now()', 'SELECT', 'SELECT'],
    ['begin', 'BEGIN', 'BEGIN'],
    ['commit', 'COMMIT', 'COMMIT'],
    ["set local statement_timeout = '5s'", 'SET', 'SET'],
    ['', 'STATEMENT', 'STATEMENT'],
  ])('takes %j for %s', (text, operation, summary) => {
    expect(summarize(text)).toMatchObject({ operation, summary });
  });

  it('finds the table of a statement that is longer than what is shown', () => {
    const columns = Array.from({ length: 2000 }, (_, n) => `c${n}`).join(', ');
    expect(summarize(`select ${columns}, (select 1 from x) from resources`).summary).toBe('SELECT resources');
  });

  it('shows parameters as they are written, and no literal', () => {
    expect(summarize("select 1 from t where a = $1 and b = 'hush' and c = 'hu''sh'").text).toBe(
      'select 1 from t where a = $1 and b = ? and c = ??',
    );
  });

  it.each([
    String.raw`select E'it\'s hush', 1`,
    String.raw`select e'hush\\', 1`,
    'select $$hush$$, 1',
    "select $tag$hush's $$ hush$tag$, 1",
    "select -- don't\n'hush', 1",
    "select /* don't */'hush', 1",
    "select /* hush */'', 1",
    "select '', 1 -- hush",
  ])('shows nothing of the literals and comments of %j', (text) => {
    expect(summarize(text).text).toMatch(/^select\s+\?, 1\s*$/);
  });

  it('takes an apostrophe in a name for nothing else', () => {
    expect(summarize(`select "it's", 'hush' from "it's"`).text).toBe(`select "it's", ? from "it's"`);
  });

  it.each(["select 'of from hush'", '-- from hush\nselect 1', 'select $$ from hush$$'])(
    'looks for no table within the literals and comments of %j',
    (text) => {
      expect(summarize(text).summary).toBe('SELECT');
    },
  );

  it.each(["select 'hush", 'select $a$hush', String.raw`select E'hush\'`])(
    'shows nothing of a literal that is not ended: %j',
    (text) => {
      expect(summarize(text).text).toBe('select ?');
    },
  );

  it('keeps 4096 characters, and cuts no literal open', () => {
    expect(summarize(`select ${'x'.repeat(5000)}`).text).toHaveLength(4096);
    expect(summarize(`${'x'.repeat(4090)} 'hush'`).text).not.toContain('hu');
  });
});
