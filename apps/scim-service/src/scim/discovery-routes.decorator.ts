import { Get, applyDecorators } from '@nestjs/common';
import type { ParameterObject } from '@nestjs/swagger';
import type { JsonObject } from '@palisade/domain';
import { schemaReference } from '@palisade/platform';
import type { DiscoveryEndpoint } from './discovery.service.js';
import { CONFIG_ANSWER, RESOURCE_TYPE_ANSWERS, SCHEMA_ANSWERS, pageOf } from './openapi/answer-examples.js';
import { listOf } from './openapi/message-schemas.js';
import { DescribedScimOperation, answer } from './openapi/operation.js';

interface Documents {
  readonly type: 'ResourceType' | 'Schema';
  readonly text: string;
  readonly idText: string;
  readonly examples: readonly JsonObject[];
}

const DOCUMENTS: Readonly<Record<DiscoveryEndpoint, Documents>> = {
  ResourceTypes: {
    type: 'ResourceType',
    text: 'resource type',
    idText: 'Name of the resource type.',
    examples: RESOURCE_TYPE_ANSWERS,
  },
  Schemas: { type: 'Schema', text: 'schema', idText: 'URN of the schema, in any case.', examples: SCHEMA_ANSWERS },
};

/** Says what the service supports (RFC 7643 §5). */
export function ScimGetConfig(): MethodDecorator {
  return applyDecorators(
    Get('ServiceProviderConfig'),
    DescribedScimOperation({
      id: 'getServiceProviderConfig',
      summary: 'What the service supports, and its limits',
      answers: { 200: answer('The configuration', schemaReference('ServiceProviderConfig'), CONFIG_ANSWER) },
      errors: ['filtered'],
    }),
  );
}

/** Lists discovery documents (RFC 7644 §4). */
export function ScimListDocuments(endpoint: DiscoveryEndpoint): MethodDecorator {
  const { type, text, examples } = DOCUMENTS[endpoint];
  return applyDecorators(
    Get(endpoint),
    DescribedScimOperation({
      id: `list${endpoint}`,
      summary: `List the ${text}s`,
      description: 'All of them on one page; there is no filter.',
      answers: { 200: answer(`Every ${text}`, listOf(schemaReference(type)), pageOf(examples)) },
      errors: ['filtered'],
    }),
  );
}

/** Reads one discovery document (RFC 7644 §4). */
export function ScimGetDocument(endpoint: DiscoveryEndpoint): MethodDecorator {
  const { type, text, idText, examples } = DOCUMENTS[endpoint];
  const [example = {}] = examples;
  const id: ParameterObject = {
    name: 'id',
    in: 'path',
    required: true,
    description: idText,
    schema: { type: 'string', example: example.id },
  };
  return applyDecorators(
    Get(`${endpoint}/:id`),
    DescribedScimOperation({
      id: `get${type}`,
      summary: `Read a ${text}`,
      parameters: [id],
      answers: { 200: answer(`The ${text}`, schemaReference(type), example) },
      errors: ['notFound'],
    }),
  );
}
