/** What who asks may do: read from the Projects, decided without a question to anybody. */
export {
  actions,
  authorize,
  allowedOnAll,
  type Action,
  type TargetProject,
  type AuthorizationDecision,
} from './authorize';
export { roleOf, type Role } from './role-of';
export { noSuchProject, roleOrRefusal } from './refusals';
