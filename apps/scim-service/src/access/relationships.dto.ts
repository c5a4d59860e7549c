import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsText, LABEL, MayBeAbsent } from '@palisade/platform';
import { RELATIONSHIP_FORMATS, type RelationshipFormatName } from './relationship-formats.js';

const FORMAT_NAMES = Object.keys(RELATIONSHIP_FORMATS);

export class ExportParameters {
  @ApiPropertyOptional({
    description:
      '`ndjson` and `json`: objects with `tuple`, `object`, `relation` and `subject`, identifiers verbatim. `openfga` and ' +
      '`spicedb`: what those import; in identifiers `:` is written `|`, other special characters as `=` and hexadecimal ' +
      'UTF-8.',
    enum: FORMAT_NAMES,
    default: 'ndjson',
  })
  @MayBeAbsent()
  @IsIn(FORMAT_NAMES)
  readonly format: RelationshipFormatName = 'ndjson';

  @ApiPropertyOptional({
    ...LABEL,
    description: "Only this provider's groups and their bindings.",
    example: 'default',
  })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly provider?: string;
}
