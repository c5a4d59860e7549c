import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { JsonLogger, type JsonLoggerOptions } from './json-logger.js';

function createLogger(options: Partial<JsonLoggerOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  return { logger: new JsonLogger({ service: 'test', level: 'info', stream, ...options }), lines };
}

describe(JsonLogger.name, () => {
  afterEach(() => Logger.overrideLogger(false));

  it('writes level, ISO time, service, context and message', () => {
    const { logger, lines } = createLogger();
    logger.log('started', 'Main');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        service: 'test',
        context: 'Main',
        msg: 'started',
      },
    ]);
  });

  it.each(['log', 'debug', 'verbose'] as const)('leaves out %s below its level', (method) => {
    const { logger, lines } = createLogger({ level: 'warn' });
    logger[method]('quiet');
    expect(lines).toEqual([]);
  });

  it('writes the error among the arguments with its causes', () => {
    const { logger, lines } = createLogger();
    Logger.overrideLogger(logger);
    new Logger('Store').error('cannot write', new Error('full', { cause: new Error('disk') }));
    expect(lines).toMatchObject([
      { context: 'Store', msg: 'cannot write', err: { message: 'full', cause: { message: 'disk' } } },
    ]);
  });

  it('uses the message of an error that is logged alone', () => {
    const { logger, lines } = createLogger();
    Logger.overrideLogger(logger);
    new Logger('Store').error(new Error('full'));
    expect(lines).toMatchObject([{ context: 'Store', msg: 'full', err: { message: 'full' } }]);
  });

  it('keeps a stack given as text apart from the context', () => {
    const { logger, lines } = createLogger();
    logger.error('failed', 'Error: x\n    at y', 'Main');
    expect(lines).toMatchObject([{ msg: 'failed', context: 'Main', details: ['Error: x\n    at y'] }]);
  });

  it('writes the properties of objects as fields, secrets redacted', () => {
    const { logger, lines } = createLogger();
    logger.warn('odd', { attempts: 2, token: 'hush' }, 'Main');
    expect(lines).toMatchObject([{ attempts: 2, token: '[redacted]' }]);
  });

  it("takes Nest's reports of modules and routes as details", () => {
    const { logger, lines } = createLogger({ level: 'debug' });
    logger.log('Mapped {/, GET} route', 'RouterExplorer');
    expect(lines).toMatchObject([{ level: 'debug', msg: 'Mapped {/, GET} route' }]);
  });

  it('keeps one record on one line', () => {
    const chunks: string[] = [];
    const { logger } = createLogger({ stream: { write: (line: string) => chunks.push(line) } });
    logger.log('a\n{"level":"fatal"}');
    expect(chunks.join('').trimEnd().split('\n')).toHaveLength(1);
  });
});
