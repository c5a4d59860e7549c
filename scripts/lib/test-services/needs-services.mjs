/** What `--selectProjects` names: the words after it up to the next option, or after its `=`. */
function selectedProjects(args) {
  const projects = [];
  let isInside = false;
  for (const arg of args) {
    if (arg.startsWith('-')) {
      const [option, value] = arg.split('=', 2);
      isInside = option === '--selectProjects';
      if (isInside && value !== undefined) {
        projects.push(value);
      }
    } else if (isInside) {
      projects.push(arg);
    }
  }
  return projects;
}

/** Whether Jest, given these arguments, may run a suite that needs servers: always, unless only `unit` is selected. */
export function needsServices(args) {
  const projects = selectedProjects(args);
  return projects.length === 0 || projects.some((project) => project !== 'unit');
}
