/** What who asks may do: read from the Projects, decided without a question to anybody. */
export { actions, allowed, allowedOnAll, type Action, type TargetProject, type Verdict } from './allowed';
export { roleOf, type Role } from './role-of';
export { noSuchProject, roleOrRefusal } from './refusals';
