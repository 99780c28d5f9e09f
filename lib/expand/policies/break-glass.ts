import { apiVersion, group, metadataKeys, version, workloadKinds } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type AdmissionPolicy, admissionPolicy } from './admission-policy';
import { isAdministrator, isDeployer } from './requesters';
import { sameContentExcept } from './update-expressions';

/** Name of the policy for break-glass changes. */
export const breakGlassPolicyName = `break-glass.${group}`;

const key = JSON.stringify(metadataKeys.breakGlass);
const annotationOf = (object: string) => `${object}.metadata.?annotations.orValue({})[?${key}].orValue("")`;
const managedFields = 'object.metadata.?managedFields.orValue([])';
const day = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const clock = '([01][0-9]|2[0-3]):[0-5][0-9]';
const time = `${day}T${clock}:[0-5][0-9]([.][0-9]{1,9})?(Z|[+-]${clock})`;
/** A character of a JSON string in canonical form. */
const character = String.raw`([^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00[01][0-9a-f])`;
/** Canonical JSON, so that each member is found by its position. */
const format = `^\\{"expires":"${time}","reason":"${character}{10,500}","user":"${character}+"\\}$`;
const [start, afterTime, beforeUser] = ['{"expires":"', '","reason":"', '","user":"'].map((text) =>
  JSON.stringify(text),
) as [string, string, string];
const quoted = String.raw`request.userInfo.username.replace("\\", "\\\\").replace("\"", "\\\"")`;

type Variables = NonNullable<AdmissionPolicy['variables']>;

/**
 * CEL variables of an update or creation by a user who bypasses the proof: `member` of a group that may, with the annotation
 * `after`, which is `wellFormed`, names the requester (`own`), and `expires` in the future (`inTime`). CEL has no clock, but
 * the API server sets the time of the last write in the managed fields; forged entries can only make it later.
 */
export const breakGlassVariables: Variables = [
  { name: 'after', expression: `object == null ? "" : ${annotationOf('object')}` },
  {
    name: 'member',
    expression:
      'has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in params.spec.?breakGlass.orValue([]))',
  },
  { name: 'wellFormed', expression: `variables.after.matches(${JSON.stringify(format)})` },
  {
    name: 'own',
    expression: `variables.wellFormed && variables.after.endsWith(${beforeUser} + ${quoted} + "\\"}")`,
  },
  {
    name: 'expires',
    expression: `timestamp(variables.after.substring(size(${start}), variables.after.indexOf(${afterTime})))`,
  },
  {
    name: 'inTime',
    expression: `variables.wellFormed && ${managedFields}.exists(f, has(f.time)) && ${managedFields}.all(f, !has(f.time) || timestamp(f.time) < variables.expires)`,
  },
];

/** CEL expression that is true for a change that bypasses the proof; requires the variables. */
export const isBreakGlass = 'variables.member && variables.own && variables.inTime';

const remedy =
  'write it as {"expires":"2026-11-23T18:00:00Z","reason":"10 to 500 characters","user":"your user name"}, without spaces between members';
const field = `metadata.annotations[${metadataKeys.breakGlass}]`;
const startingWith = (text: string) => `${JSON.stringify(`${field}: `)} + ${text}`;
/** CEL expression of what is wrong with the annotation of a member; requires the variables. */
export const breakGlassProblem = startingWith(
  `(!variables.wellFormed ? ${JSON.stringify(`is not canonical JSON of a time, a reason and a user; ${remedy}`)} : !variables.own ? "user must be " + request.userInfo.username + ", who makes this change; set the annotation again with your user name" : "expires must be in the future; set the annotation again with a later time")`,
);
/** Managed fields of who set the annotation. The type checker of Kubernetes does not know the type of fieldsV1. */
const setters = `${managedFields}.filter(f, dyn(f).?fieldsV1[?"f:metadata"][?"f:annotations"][?${JSON.stringify(`f:${metadataKeys.breakGlass}`)}].hasValue())`;

/**
 * Creates the policy for the annotation that bypasses the proof of a workload in an emergency, in all projects: one that was
 * set before a project was protected would count, too. While a workload has it, only the user whom it names changes the
 * workload; an empty one counts as none.
 */
export const breakGlassPolicy = (): KubernetesObject[] =>
  admissionPolicy(breakGlassPolicyName, {
    paramKind: { apiVersion, kind: 'Platform' },
    // Without a Platform, the controller carries out nothing.
    paramRef: { name: 'cluster', parameterNotFoundAction: 'Allow' },
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: ['CREATE', 'UPDATE'],
        resources: Object.values(workloadKinds).map(({ plural }) => plural),
      },
    ],
    matchConditions: [
      {
        name: 'break-glass',
        expression: `${annotationOf('object')} != "" || (oldObject != null && ${annotationOf('oldObject')} != "")`,
      },
    ],
    variables: [
      ...breakGlassVariables,
      { name: 'before', expression: `oldObject == null ? "" : ${annotationOf('oldObject')}` },
      { name: 'administrator', expression: isAdministrator },
      { name: 'deployer', expression: isDeployer },
      {
        name: 'protected',
        expression: `namespaceObject.metadata.?labels.orValue({})[?"${metadataKeys.protected}"].orValue("") == "true"`,
      },
      { name: 'removes', expression: 'variables.after == ""' },
      {
        name: 'keeps',
        expression: `oldObject != null && variables.before == variables.after && ${sameContentExcept(metadataKeys.restart)}`,
      },
    ],
    validations: [
      {
        expression:
          '!variables.removes || !variables.protected || variables.member || variables.administrator || variables.deployer',
        message: `${field}: may be removed only by a group of spec.breakGlass or spec.administrators of the Platform, and by a deployment; deploy the workload with pinion deploy`,
      },
      {
        expression: 'variables.removes || variables.keeps || variables.member',
        message: `${field}: only groups of spec.breakGlass of the Platform bypass the proof of a workload`,
        messageExpression: startingWith(
          `"user " + request.userInfo.username + (variables.before == variables.after ? " may not change a workload in an emergency, which has this annotation; deploy it with pinion deploy, which ends the emergency" : " is in none of the groups that may set it (" + (size(params.spec.?breakGlass.orValue([])) == 0 ? "none" : params.spec.breakGlass.join(", ")) + "); ask one of them, or an administrator to add your group to spec.breakGlass of the Platform")`,
        ),
      },
      {
        expression: `variables.removes || variables.keeps || !variables.member || (${isBreakGlass})`,
        message: `${field}: is not valid; ${remedy}`,
        messageExpression: breakGlassProblem,
      },
      {
        expression: `variables.removes || variables.before == variables.after || !variables.wellFormed || (size(${setters}) > 0 && ${setters}.all(f, has(f.time) && variables.expires <= timestamp(f.time) + duration("24h")))`,
        message: `${field}: expires must be at most 24 hours ahead; choose an earlier time, and set it again if the emergency lasts longer`,
      },
    ],
  });
