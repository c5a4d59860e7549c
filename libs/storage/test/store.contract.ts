import { describe } from '@jest/globals';
import { describeAccessContract } from './access.contract.js';
import { describeBindingStoreContract } from './binding-store.contract.js';
import { describeBulkContract } from './bulk.contract.js';
import { describeCapStoreContract } from './cap-store.contract.js';
import { describeCreateUsersContract } from './create-users.contract.js';
import { describeDirectoryDeleteContract } from './directory-delete.contract.js';
import { describeDirectoryStoreContract } from './directory-store.contract.js';
import { describeDirectoryUpdateContract } from './directory-update.contract.js';
import { describeFilterParityContract } from './filter-parity.contract.js';
import { describeFilterContract } from './filter.contract.js';
import { describeLeaseStoreContract } from './lease-store.contract.js';
import { describeLifecycleContract } from './lifecycle.contract.js';
import { describeListingContract } from './listing.contract.js';
import { describeLogOfChangesContract } from './log-of-changes.contract.js';
import { describeLogStoreContract } from './log-store.contract.js';
import { describeMemberRulesContract } from './member-rules.contract.js';
import { describeMembershipContract } from './membership.contract.js';
import { describeNestedGroupsContract } from './nested-groups.contract.js';
import { describeOperationsStoreContract } from './operations-store.contract.js';
import { describePagingContract } from './paging.contract.js';
import { describeProviderStoreContract } from './provider-store.contract.js';
import { describeProviderTokenContract } from './provider-token.contract.js';
import { describeProvisioningServerContract } from './provisioning-server.contract.js';
import { describeProvisioningContract } from './provisioning.contract.js';
import { describeProxyStoreContract } from './proxy-store.contract.js';
import { describeReconcileContract } from './reconcile.contract.js';
import { useStore, type CreateStore } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';
import { describeTenantChangesContract } from './tenant-changes.contract.js';
import { describeTenantOverlapContract } from './tenant-overlap.contract.js';
import { describeTenantStoreContract } from './tenant-store.contract.js';

/**
 * What every store must do. The suite may run any number of times over one and the same database, but not at once: tests
 * use providers, namespaces and tenants of their own, but there is one registry and one log.
 *
 * @param create is called several times; the stores that it makes may share what they store in
 */
export function describeStoreContract(name: string, create: CreateStore): void {
  describe(`${name} store`, () => {
    describeLifecycleContract(create);

    const store = useStore(create);
    const createDirectory = (): TestDirectory => new TestDirectory(store());
    describeDirectoryStoreContract(createDirectory);
    describeCreateUsersContract(createDirectory);
    describeDirectoryUpdateContract(createDirectory);
    describeDirectoryDeleteContract(createDirectory);
    describeMembershipContract(createDirectory);
    describeMemberRulesContract(createDirectory);
    describeNestedGroupsContract(createDirectory);
    describeReconcileContract(createDirectory);
    describeFilterContract(createDirectory);
    describeFilterParityContract(createDirectory);
    describeListingContract(createDirectory);
    describePagingContract(createDirectory);
    describeBulkContract(store);
    describeBindingStoreContract(createDirectory);
    describeAccessContract(createDirectory);
    describeProvisioningContract(createDirectory);
    describeProvisioningServerContract(store);
    describeProviderStoreContract(store);
    describeProviderTokenContract(store);
    describeLogOfChangesContract(store);
    describeTenantStoreContract(store);
    describeTenantOverlapContract(store);
    describeTenantChangesContract(store);
    describeProxyStoreContract(store);
    describeCapStoreContract(store);
    describeLeaseStoreContract(store);
    describeOperationsStoreContract(store);
    describeLogStoreContract(store);
  });
}
