import { Choice, Name } from '@palisade/platform';
import { RELATIONSHIP_FORMATS, type RelationshipFormatName } from './relationship-formats.js';

const FORMAT_NAMES = Object.keys(RELATIONSHIP_FORMATS) as RelationshipFormatName[];

export class ExportParameters {
  @Choice(
    '`ndjson` and `json`: objects with `tuple`, `object`, `relation` and `subject`, identifiers verbatim. `openfga` and ' +
      '`spicedb`: what those import; in identifiers `:` is written `|`, other special characters as `=` and hexadecimal ' +
      'UTF-8.',
    FORMAT_NAMES,
    { default: 'ndjson' },
  )
  readonly format: RelationshipFormatName = 'ndjson';

  @Name("Only this provider's groups and their bindings.", { optional: true, example: 'default' })
  readonly provider?: string;
}
