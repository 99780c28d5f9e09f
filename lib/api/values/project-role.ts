/** Roles of members of a project (`Project.spec.members[].role`), lesser ones first. */
export const projectRoles = ['view', 'deploy', 'operate', 'edit', 'admin'] as const;

/** Role of a project's member. */
export type ProjectRole = (typeof projectRoles)[number];

/** Roles that a role includes. A relation, not an order: `deploy` and `operate` do not include each other. */
const includedRoles: Readonly<Record<ProjectRole, readonly ProjectRole[]>> = {
  view: ['view'],
  deploy: ['view', 'deploy'],
  operate: ['view', 'operate'],
  edit: ['view', 'deploy', 'operate', 'edit'],
  admin: projectRoles,
};

/** Returns whether members with a role may do everything that members with another role may. */
export const includesRole = (role: ProjectRole, other: ProjectRole): boolean => includedRoles[role].includes(other);

/** Returns the roles that include a role, itself first. */
export const rolesIncluding = (role: ProjectRole): readonly ProjectRole[] =>
  projectRoles.filter((other) => includesRole(other, role));
