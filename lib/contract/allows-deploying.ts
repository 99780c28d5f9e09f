import { includesRole, type ProjectRole } from '../api';

/** Returns whether a role in a project allows deploying. In a file without schemas, which the page would load too. */
export const allowsDeploying = (role: ProjectRole): boolean => includesRole(role, 'deploy');
