/** Authorization of callers by the members and stages of Projects. */
export {
  actions,
  authorize,
  authorizeOnAll,
  type Action,
  type TargetProject,
  type AuthorizationDecision,
} from './authorize';
export { roleOf, type Role } from './role-of';
export { projectNotFound, requireRole } from './refusals';
