import { CONTROL_PLANE } from './control-plane.mjs';
import { ISOLATION } from './isolation.mjs';
import { SCIM_SERVICE } from './scim-service.mjs';

/** Every dashboard, by the name of its file. */
export function renderDashboards() {
  return new Map(
    [SCIM_SERVICE, CONTROL_PLANE, ISOLATION].map((dashboard) => [
      `${dashboard.uid.replace('palisade-', '')}.json`,
      // What is undefined is left out.
      JSON.parse(JSON.stringify(dashboard)),
    ]),
  );
}
