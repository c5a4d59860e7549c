import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseNamespaceId, parseProviderId, type NamespaceId, type ProviderId } from '@palisade/domain';

/** @throws {InvalidIdentifierError} */
@Injectable()
export class ProviderIdPipe implements PipeTransform<string, ProviderId> {
  transform(text: string): ProviderId {
    return parseProviderId(text);
  }
}

/** @throws {InvalidIdentifierError} */
@Injectable()
export class NamespaceIdPipe implements PipeTransform<string, NamespaceId> {
  transform(text: string): NamespaceId {
    return parseNamespaceId(text);
  }
}
