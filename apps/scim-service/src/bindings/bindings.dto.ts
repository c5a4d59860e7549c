import { ApiProperty, ApiPropertyOptional, type ExamplesObject } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { BINDING_SOURCES, type BindingSource, type BindingState, type Relation, RELATIONS } from '@palisade/domain';
import { ApiNextCursor, IsText, LABEL, MayBeAbsent, PageParameters } from '@palisade/platform';

const STATES = ['active', 'dangling'] as const satisfies readonly BindingState[];
/** `group:scim:`, a provider id, a colon and an external id. */
const MAX_GROUP_ID_LENGTH = 350;

/** Fields of a binding as the API pages describe them, in bodies, queries and answers alike. */
const BINDING_FIELDS = {
  bound_subject: { description: 'Full identifier of the group.', example: 'group:scim:default:eng' },
  namespace: { description: 'Name of the namespace.', example: 'orders' },
  relation: {
    description: 'What the group may do; each includes the ones before it.',
    enum: RELATIONS,
    example: 'write',
  },
  source: {
    description: '`manual` for a binding that somebody decided on, `import` for one that was taken over.',
    enum: BINDING_SOURCES,
    example: 'manual',
  },
  state: {
    description: '`dangling`: the group does not exist, and the binding gives nothing until it does.',
    enum: STATES,
    example: 'active',
  },
} as const;

/** `approved_by` is not here: it is the caller. */
export class AddBindingBody {
  @ApiPropertyOptional(BINDING_FIELDS.bound_subject)
  @MayBeAbsent()
  @IsText(MAX_GROUP_ID_LENGTH)
  readonly bound_subject?: string;

  @ApiPropertyOptional({
    description: 'Another name for `bound_subject`; exactly one of the two is required.',
    example: BINDING_FIELDS.bound_subject.example,
  })
  @MayBeAbsent()
  @IsText(MAX_GROUP_ID_LENGTH)
  readonly source_group?: string;

  @ApiProperty({ ...BINDING_FIELDS.namespace, ...LABEL })
  @IsText(LABEL.maxLength)
  readonly namespace!: string;

  @ApiPropertyOptional({ ...BINDING_FIELDS.relation, default: 'read' })
  @MayBeAbsent()
  @IsIn(RELATIONS)
  readonly relation: Relation = 'read';

  @ApiPropertyOptional({ ...BINDING_FIELDS.source, default: 'manual' })
  @MayBeAbsent()
  @IsIn(BINDING_SOURCES)
  readonly source: BindingSource = 'manual';

  @ApiPropertyOptional({
    description: 'Bind a group that has not been pushed yet; the binding dangles until it is.',
    default: false,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  readonly pending: boolean = false;
}

export class RemoveBindingParameters {
  @ApiProperty({ ...BINDING_FIELDS.namespace, ...LABEL })
  @IsText(LABEL.maxLength)
  readonly namespace!: string;

  @ApiProperty(BINDING_FIELDS.bound_subject)
  @IsText(MAX_GROUP_ID_LENGTH)
  readonly bound_subject!: string;

  @ApiProperty(BINDING_FIELDS.relation)
  @IsIn(RELATIONS)
  readonly relation!: Relation;
}

export class ListBindingsParameters extends PageParameters {
  @ApiPropertyOptional({ ...LABEL, description: 'Only of this namespace.', example: BINDING_FIELDS.namespace.example })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly namespace?: string;

  @ApiPropertyOptional({ ...LABEL, description: 'Only of groups of this provider.', example: 'default' })
  @MayBeAbsent()
  @IsText(LABEL.maxLength)
  readonly provider?: string;

  @ApiPropertyOptional({ description: 'Only of this group.', example: BINDING_FIELDS.bound_subject.example })
  @MayBeAbsent()
  @IsText(MAX_GROUP_ID_LENGTH)
  readonly bound_subject?: string;

  @ApiPropertyOptional({
    description:
      'Leaves the others out of each page, so a page may hold fewer than `limit` and still be followed by another.',
    enum: STATES,
    example: 'dangling',
  })
  @MayBeAbsent()
  @IsIn(STATES)
  readonly state?: BindingState;
}

export class BindingResponse {
  @ApiProperty(BINDING_FIELDS.bound_subject)
  readonly bound_subject!: string;

  @ApiProperty(BINDING_FIELDS.namespace)
  readonly namespace!: string;

  @ApiProperty(BINDING_FIELDS.relation)
  readonly relation!: Relation;

  @ApiProperty(BINDING_FIELDS.source)
  readonly source!: BindingSource;

  @ApiProperty({ description: 'Who approved it, as authenticated.', example: 'ann@example.com' })
  readonly approved_by!: string;

  @ApiProperty({ description: 'When it was added.', format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  readonly created_at!: string;
}

export class ListedBindingResponse extends BindingResponse {
  @ApiProperty(BINDING_FIELDS.state)
  readonly state!: BindingState;

  @ApiPropertyOptional({ description: 'Display name of the group, when it exists.', example: 'Engineers' })
  readonly display?: string;
}

export class BindingPage {
  @ApiProperty({ description: 'In order of namespace, group and relation.', type: [ListedBindingResponse] })
  readonly items!: readonly ListedBindingResponse[];

  @ApiNextCursor()
  readonly next_cursor?: string;
}

export const ADD_BINDING_EXAMPLES: ExamplesObject = {
  group: {
    summary: 'A group that exists',
    value: { bound_subject: 'group:scim:default:eng', namespace: 'orders', relation: 'write' },
  },
  pending: {
    summary: 'A group that has not been pushed yet',
    value: { bound_subject: 'group:scim:default:sales', namespace: 'orders', relation: 'read', pending: true },
  },
};
