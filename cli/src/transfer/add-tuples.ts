import { dataOf } from '@palisade/client';
import { Option, type Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../command/connection-options.js';
import { connect } from '../command/connection.js';
import { EXIT, type CommandContext, type End } from '../command/context.js';
import { ENGINES, modelFor, type Engine } from './engine-models.js';

interface TupleOptions extends ConnectionOptions {
  readonly for: Engine;
  readonly provider?: string;
}

/** Adds `tuples` and `model` to the commands that export. */
export function addTuples(parent: Command, context: CommandContext, end: End): void {
  const tuples = parent
    .command('tuples')
    .description('Write what gives access as tuples of OpenFGA or SpiceDB. Needs an admin token.')
    .addOption(engineOption())
    .option('--provider <id>', "only this provider's groups and their bindings");
  addConnectionOptions(tuples)
    .addHelpText('after', '\nExample:\n  palisade export tuples --for openfga > tuples.json')
    .action(async ({ for: format, provider, ...options }: TupleOptions) => {
      const { api } = connect('scim-service', 'admin', options, context);
      const query = { format, ...(provider !== undefined && { provider }) };
      const answer = await api.GET('/api/v1/relationships', { params: { query }, parseAs: 'stream' });
      const decoder = new TextDecoder();
      for await (const chunk of dataOf(answer) as unknown as AsyncIterable<Uint8Array>) {
        context.out(decoder.decode(chunk, { stream: true }));
      }
      end(EXIT.ok);
    });
  parent
    .command('model')
    .description('Print the authorization model of OpenFGA or the schema of SpiceDB, which goes before the tuples')
    .addOption(engineOption())
    .addHelpText('after', '\nExample:\n  palisade export model --for spicedb > palisade.zed')
    .action(({ for: engine }: Pick<TupleOptions, 'for'>) => {
      context.out(modelFor(engine));
      end(EXIT.ok);
    });
}

function engineOption(): Option {
  return new Option('--for <engine>', 'where they go').choices(ENGINES).makeOptionMandatory();
}
