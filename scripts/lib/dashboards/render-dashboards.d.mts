/** Every dashboard, by the name of its file. */
export function renderDashboards(): Map<string, object>;
