import { allowsDeploying, type DeploymentPreview, type ProjectView } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { failureNote } from '../elements/problem-list';
import { selectField } from '../elements/select-field';
import { deployRequest, draftOptions, rollBackRequest, type SelectOption } from '../state/deploy-options';
import { type DeploySelection, formatRoute, type Route } from '../state/route';
import { type Actions, type DeployDraft, type State } from '../state/state';
import { previewReport } from './preview-report';
import { previewEffects, previewWarning } from './preview-summary';

type DeployRoute = Extract<Route, { page: 'deploy' | 'rollback' }>;

/** Returns the form to deploy or roll back, with its preview and the button that asks for confirmation. */
export function deployView(state: State, route: DeployRoute, actions: Actions): VNode {
  const { draft } = state;
  const isRollback = route.page === 'rollback';
  const request = deployRequest(route.selection, draft.breakGlass);
  const source = isRollback ? draft.past : draft.versions;
  return h(
    'div',
    { class: 'view deploy', key: route.page },
    h('h1', { id: 'title', tabindex: -1 }, isRollback ? 'Roll back' : 'Deploy'),
    h(
      'p',
      { class: 'muted' },
      isRollback
        ? 'Redeploy an earlier version that was Ready in the stage. '
        : 'Deploy a published version to a stage. Nothing changes until you confirm. ',
      h(
        'a',
        {
          href: formatRoute({
            page: isRollback ? 'deploy' : 'rollback',
            selection: { project: route.selection.project ?? '' },
          }),
        },
        isRollback ? 'Deploy a new version instead' : 'Roll back to an earlier version instead',
      ),
    ),
    source?.status === 'failed' && failureNote(source.failed, 'Could not load versions'),
    form(state, route, request !== undefined, actions),
    h('div', { key: 'outcome' }, outcome(draft, route, isAdministrator(state), actions)),
  );
}

function form(state: State, route: DeployRoute, isComplete: boolean, actions: Actions): VNode {
  const { draft, inventory } = state;
  const { selection, page } = route;
  const choices = draftOptions(page, draft, selection);
  const set = (next: DeploySelection): void => actions.replaceRoute({ page, selection: next });
  const { project, workflow, version, stage } = selection;
  const field = (
    id: keyof DeploySelection,
    label: string,
    options: readonly SelectOption[],
    onSelect: (value: string) => void,
  ) =>
    selectField({
      id: `choose-${id}`,
      label,
      value: selection[id] ?? '',
      options: [{ value: '', text: options.length > 0 ? 'Select…' : 'No options yet' }, ...options],
      onSelect,
      disabled: options.length === 0,
    });
  const optional = <Name extends string>(name: Name, value: string | undefined) =>
    (value === undefined || value === '' ? {} : { [name]: value }) as { readonly [key in Name]?: string };
  const base = { ...optional('project', project), ...optional('workflow', workflow) };
  const versionField = field('version', 'Version', choices.versions, (value) =>
    set({ ...base, ...(page === 'rollback' && optional('stage', stage)), ...optional('version', value) }),
  );
  const stageField = field('stage', 'Stage', choices.stages, (value) =>
    set({ ...base, ...(page === 'deploy' && optional('version', version)), ...optional('stage', value) }),
  );
  return h(
    'form',
    { class: 'deploy-form', 'aria-label': 'Version and stage', key: 'form', on: { submit: actions.preview } },
    field('project', 'Project', mayDeploy([...inventory.projects.items.values()]), (value) =>
      set(optional('project', value)),
    ),
    field('workflow', 'Workflow', choices.workflows, (value) =>
      set({ ...optional('project', project), ...optional('workflow', value) }),
    ),
    page === 'deploy' ? [versionField, stageField] : [stageField, versionField],
    page === 'deploy' && draft.untrusted && breakGlass(draft.breakGlass, stage ?? '', actions),
    h(
      'div',
      { class: 'actions' },
      h(
        'button',
        { type: 'submit', id: 'preview', disabled: !isComplete || draft.preview?.status === 'loading' },
        draft.preview?.status === 'loading' ? 'Loading…' : draft.preview ? 'Preview again' : 'Preview',
      ),
    ),
  );
}

/** Returns whether the caller administers the selected project; only administrators may approve. */
const isAdministrator = ({ route, inventory }: State): boolean =>
  'selection' in route &&
  [...inventory.projects.items.values()].some(({ name, role }) => name === route.selection.project && role === 'admin');

/** Returns the projects in which the caller may deploy, each once regardless of its number of clusters. */
const mayDeploy = (projects: readonly ProjectView[]): readonly SelectOption[] =>
  [...new Set(projects.filter(({ role }) => allowsDeploying(role)).map(({ name }) => name))]
    .sort()
    .map((value) => ({ value, text: value }));

/** Returns the break-glass option; offered only after the stage has rejected the artifact's publisher. */
function breakGlass(reason: string | undefined, stage: string, actions: Actions): VNodeChild {
  return h(
    'div',
    { class: 'break-glass', key: 'break-glass' },
    h(
      'label',
      { class: 'checkbox' },
      h('input', {
        id: 'break-glass',
        type: 'checkbox',
        checked: reason !== undefined,
        on: { toggle: (checked) => actions.breakGlass(checked ? '' : undefined) },
      }),
      `Break-glass: bypass the trusted publishers of stage ${stage} in an emergency`,
    ),
    reason !== undefined && [
      h('label', { for: 'reason' }, 'Reason (10 to 500 characters; recorded and reported)'),
      h('textarea', { id: 'reason', rows: 3, maxlength: 500, value: reason, on: { input: actions.breakGlass } }),
    ],
  );
}

function outcome(
  { preview, breakGlass, approved }: DeployDraft,
  route: DeployRoute,
  mayApprove: boolean,
  actions: Actions,
): VNodeChild {
  if (!preview) return undefined;
  if (preview.status === 'loading') return h('p', { class: 'muted' }, 'Loading preview…');
  if (preview.status === 'failed')
    return failureNote(
      preview.failed,
      preview.failed.kind === 'rejected' ? 'The deployment would be rejected' : 'Could not load the preview',
    );
  return [
    approved !== undefined && h('p', { class: 'note' }, bdi(approved)),
    previewReport(preview.value),
    decisionButtons(preview.value, { breakGlass, mayApprove }, route, actions),
  ];
}

interface DecisionContext {
  readonly breakGlass: string | undefined;
  readonly mayApprove: boolean;
}

function decisionButtons(
  preview: DeploymentPreview,
  { breakGlass, mayApprove }: DecisionContext,
  route: DeployRoute,
  actions: Actions,
): VNode {
  const { artifact, stage } = preview;
  const isRollback = route.page === 'rollback';
  const verb = isRollback ? 'Roll back to' : 'Deploy';
  const deploy = (): void =>
    actions.requestConfirmation({
      title: `${verb} ${artifact} ${isRollback ? 'in' : 'to'} ${stage}?`,
      effects: previewEffects(preview),
      ...withWarning(previewWarning(preview, breakGlass)),
      confirmLabel: isRollback ? `Roll back in ${stage}` : `Deploy to ${stage}`,
      path: isRollback ? '/v1/rollbacks' : '/v1/deployments',
      body: isRollback ? rollBackRequest(route.selection) : deployRequest(route.selection, breakGlass),
      withIdempotencyKey: true,
      doneMessage: isRollback ? `Rolling back to ${artifact} in ${stage}.` : `Deploying ${artifact} to ${stage}.`,
    });
  const approve = (): void =>
    actions.requestConfirmation({
      title: `Approve ${artifact} for ${stage}?`,
      effects: [`It counts as your approval of this version for ${stage}. Nothing is deployed now.`],
      confirmLabel: `Approve for ${stage}`,
      path: '/v1/approvals',
      body: { artifact, stage },
      withIdempotencyKey: false,
      doneMessage: `${artifact} is approved for ${stage}.`,
    });
  return h(
    'div',
    { class: 'actions', key: 'decisionButtons' },
    preview.decision !== 'refuse' &&
      h(
        'button',
        { type: 'button', id: 'deploy', class: 'main', on: { click: deploy } },
        `${isRollback ? 'Roll back' : 'Deploy'}…`,
      ),
    !isRollback &&
      mayApprove &&
      h('button', { type: 'button', id: 'approve', class: 'plain', on: { click: approve } }, `Approve for ${stage}…`),
  );
}

const withWarning = (warning: string | undefined) => (warning === undefined ? {} : { warning });
