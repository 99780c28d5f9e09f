import * as z from 'zod';
import { duration, integer, label, listOf, mapOf, text } from '../schema/field';
import { textForm } from '../schema/text-form';
import { withRules } from '../schema/field-facts';

const groupName = () => text({ pattern: /^\S+$/, what: 'a name of a group', example: 'commerce-oncall', max: 253 });

/** A deployment stage with its publishers and deployers. */
export const projectStage = () =>
  withRules(
    z.strictObject({
      name: label('production').describe('Name of the stage, as in workflows.'),
      publishers: listOf(publisher(), 32)
        .default([])
        .describe('Trusted publishers of artifacts, which protect the stage. Defaults to any publisher.'),
      breakGlass: listOf(groupName(), 16)
        .default([])
        .describe('Groups whose members may bypass publishers in an emergency; each use is announced and recorded.'),
      clusters: listOf(label('prod-1'), 64, 1)
        .optional()
        .describe(
          'Clusters that the stage may deploy to, by the names in their Platform; a stage with publishers or deployers requires them and shares none with other stages. Defaults to any cluster that no protected stage owns.',
        ),
      deployers: listOf(groupName(), 32, 1)
        .optional()
        .describe(
          'Groups whose members may deploy to the stage; each needs the role deploy, edit or admin. Defaults to all members with these roles.',
        ),
      promotion: promotion()
        .optional()
        .describe(
          'Conditions for deploying a version to the stage, in addition to those of its workflow. Defaults to none.',
        ),
    }),
    [
      {
        name: 'project-stage-promotion',
        cel: '!has(self.promotion) || size(self.publishers) > 0 || has(self.deployers)',
        fieldPath: ['promotion'],
        reason: 'requires publishers or deployers; members write the workloads of other stages directly',
        remedy: 'list publishers or deployers of the stage, or omit promotion',
        code: 'invalid-combination',
      },
      {
        name: 'project-break-glass',
        cel: 'size(self.breakGlass) == 0 || size(self.publishers) > 0',
        fieldPath: ['breakGlass'],
        reason: 'requires publishers; the stage is not protected',
        remedy: 'list its publishers, or omit breakGlass',
        code: 'invalid-combination',
      },
      {
        name: 'project-stage-clusters',
        cel: '(size(self.publishers) == 0 && !has(self.deployers)) || has(self.clusters)',
        fieldPath: ['clusters'],
        reason: 'is missing; a stage with publishers or deployers owns its clusters',
        remedy: 'list the clusters of the stage, by the names in their Platform',
        code: 'required',
      },
      {
        name: 'project-stage-clusters-unique',
        cel: '!has(self.clusters) || self.clusters.all(c, self.clusters.exists_one(d, d == c))',
        fieldPath: ['clusters'],
        reason: 'lists a cluster twice',
        remedy: 'list each cluster once',
        code: 'duplicate',
      },
    ],
  );

/** Conditions for a version to enter a stage. */
const promotion = () =>
  withRules(
    z.strictObject({
      from: label('staging')
        .optional()
        .describe('Stage of the Project in which the same version must be Ready. Defaults to none.'),
      soak: duration()
        .optional()
        .describe('Time for which it must have been Ready there without interruption. Defaults to 0s.'),
      approvals: integer(1, 3)
        .optional()
        .describe('Number of users who must approve the version, not counting the one who deploys. Defaults to none.'),
      approvers: listOf(groupName(), 16, 1)
        .optional()
        .describe(
          'Groups whose approvals count; their members need any role in the project. Defaults to members with the role admin.',
        ),
    }),
    [
      {
        name: 'project-promotion-soak',
        cel: '!has(self.soak) || has(self.from)',
        fieldPath: ['soak'],
        reason: 'requires from, the stage in which the version must have been Ready',
        remedy: 'set from, or omit soak',
        code: 'invalid-combination',
      },
      {
        name: 'project-promotion-approvers',
        cel: '!has(self.approvers) || has(self.approvals)',
        fieldPath: ['approvers'],
        reason: 'requires approvals, the number of users who must approve',
        remedy: 'set approvals, or omit approvers',
        code: 'invalid-combination',
      },
    ],
  );

/** Claims of GitHub Actions that name the workflow file of a run. */
const workflowClaims = ['job_workflow_ref', 'workflow_ref'];
/** Claims of GitHub Actions that are never reused for another repository or owner. */
const identityClaims = ['repository_id', 'repository_owner_id'];
const githubIssuer = '^https://(token\\.actions\\.githubusercontent\\.com(/.*)?|.*/_services/token)$';

/** The same text is shown for every claim, so that it gives no example of one. */
const claimValue = () =>
  z
    .string()
    .max(512)
    .check(
      textForm(
        /^([^\s*]+|[^\s*]+@refs\/[^\s*]+\*)$/,
        'is not a whole value without spaces, in which only a ref after an @ may end with a star',
        'copy the value of this claim from the token of a CI run',
      ),
    );

/** Identity of CI runs: claims of their tokens, or public keys. */
const publisher = () =>
  withRules(
    z.strictObject({
      issuer: text({
        pattern: /^https:\/\/[^\s?#]+$/,
        what: 'an https URL',
        example: 'https://token.actions.githubusercontent.com',
        max: 512,
      }).describe("Issuer of the CI's identity tokens, or the base URL of the CI if it signs with a key."),
      repository: text({ pattern: /^\S+$/, what: 'a repository', example: 'commerce/shop', max: 512 }).describe(
        'Repository of the CI runs, as named by the CI.',
      ),
      ref: text({
        pattern: /^refs\/[^\s*]+\*?$/,
        what: 'a full ref, or the beginning of one before a star',
        example: 'refs/heads/main',
        max: 256,
      }).describe('Branch or tag of the CI runs; a trailing * matches any suffix.'),
      claims: mapOf(
        text({
          pattern: /^[A-Za-z_][A-Za-z0-9_.:/-]*$/,
          what: 'the name of a claim',
          example: 'repository_id',
          max: 64,
        }),
        claimValue(),
        16,
      )
        .optional()
        .describe(
          'Other claims that the tokens must have, by name: the workflow file, IDs of the repository and its owner, the event, the environment; required for GitHub Actions.',
        ),
      keys: listOf(
        text({
          pattern: /^[A-Za-z0-9+/]{40,}={0,2}$/,
          what: 'a public key (SPKI) in base64',
          example: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
          max: 1024,
        }),
        8,
        1,
      )
        .optional()
        .describe('Public keys that artifacts are signed with. Defaults to identity tokens of the issuer.'),
    }),
    [
      {
        name: 'project-publisher-key-claims',
        cel: '!has(self.keys) || !has(self.claims)',
        fieldPath: ['claims'],
        reason: 'cannot be set beside keys; a key proves no claims',
        remedy: 'remove claims, or remove keys to accept only identity tokens',
        code: 'invalid-combination',
      },
      {
        name: 'project-publisher-github-claims',
        cel: `has(self.keys) || !self.issuer.matches(${JSON.stringify(githubIssuer)}) || (has(self.claims) && ${identityClaims.map((claim) => `"${claim}" in self.claims`).join(' && ')} && (${workflowClaims.map((claim) => `"${claim}" in self.claims`).join(' || ')}))`,
        fieldPath: ['claims'],
        reason: `must have ${identityClaims.join(', ')} and ${workflowClaims.join(' or ')}; otherwise every job of the repository, and of one that takes its name, is trusted`,
        remedy: 'copy the IDs from https://api.github.com/repos/OWNER/NAME, and name the workflow file with its ref',
        code: 'required',
      },
    ],
  );
