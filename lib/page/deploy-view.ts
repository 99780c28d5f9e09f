import { type DeploymentPreview, type ProjectView } from '../contract';
import { factsOf, warningOf } from './check-facts';
import { checkReport } from './check-report';
import {
  type Choices,
  choicesToDeploy,
  choicesToRollBack,
  type SelectOption,
  deployRequest,
  rollBackOf,
} from './choices';
import { type ElementChild, type Described, h, written } from './element';
import { failedNote } from './problem-list';
import { type Choice, formatRoute, type Route } from './route';
import { select } from './select';
import { type Actions, type Draft, type State } from './state';

type DeployRoute = Extract<Route, { page: 'deploy' | 'rollback' }>;

const nothing: Choices = { workflows: [], versions: [], stages: [] };

/** What may be chosen in a draft; nothing while it is not known yet. */
export function draftChoices(page: DeployRoute['page'], { versions, past }: Draft, choice: Choice): Choices {
  if (page === 'deploy') return versions?.status === 'loaded' ? choicesToDeploy(versions.value, choice) : nothing;
  return past?.status === 'loaded' ? choicesToRollBack(past.value, choice) : nothing;
}

/** Chooses what is deployed or gone back to, shows what that would do, and asks before it is done. */
export function deployView(state: State, route: DeployRoute, actions: Actions): Described {
  const { draft } = state;
  const goesBack = route.page === 'rollback';
  const request = deployRequest(route.choice, draft.breakGlass);
  const source = goesBack ? draft.past : draft.versions;
  return h(
    'div',
    { class: 'view deploy', key: route.page },
    h('h1', { id: 'title', tabindex: -1 }, goesBack ? 'Go back' : 'Deploy'),
    h(
      'p',
      { class: 'quiet' },
      goesBack
        ? 'A version that was Ready in the stage before is deployed again. '
        : 'A published version goes to a stage. Nothing is written before you confirm. ',
      h(
        'a',
        {
          href: formatRoute({
            page: goesBack ? 'deploy' : 'rollback',
            choice: { project: route.choice.project ?? '' },
          }),
        },
        goesBack ? 'Deploy a new version instead' : 'Go back to an old version instead',
      ),
    ),
    source?.status === 'failed' && failedNote(source.failed, 'Versions could not be listed'),
    form(state, route, request !== undefined, actions),
    h('div', { key: 'outcome' }, outcome(draft, route, isAdministrator(state), actions)),
  );
}

function form(state: State, route: DeployRoute, isComplete: boolean, actions: Actions): Described {
  const { draft, inventory } = state;
  const { choice, page } = route;
  const choices = draftChoices(page, draft, choice);
  const set = (next: Choice): void => actions.revise({ page, choice: next });
  const { project, workflow, version, stage } = choice;
  const field = (id: keyof Choice, label: string, options: readonly SelectOption[], choose: (value: string) => void) =>
    select({
      id: `choose-${id}`,
      label,
      value: choice[id] ?? '',
      options: [{ value: '', text: options.length > 0 ? 'Choose…' : 'Nothing to choose yet' }, ...options],
      choose,
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
    { class: 'choose', 'aria-label': 'What and where', key: 'form', on: { submit: actions.preview } },
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
        draft.preview?.status === 'loading' ? 'Checking…' : draft.preview ? 'Check again' : 'Check',
      ),
    ),
  );
}

/** Whether the caller may approve in the chosen project, which its administrators alone may. */
const isAdministrator = ({ route, inventory }: State): boolean =>
  'choice' in route &&
  [...inventory.projects.items.values()].some(({ name, role }) => name === route.choice.project && role === 'admin');

/** Projects in which the caller may deploy, each once however many clusters it is on. */
const mayDeploy = (projects: readonly ProjectView[]): readonly SelectOption[] =>
  [...new Set(projects.filter(({ role }) => role !== 'view').map(({ name }) => name))]
    .sort()
    .map((value) => ({ value, text: value }));

/** Offered only once it was said that the stage does not accept the artifact: it means nothing anywhere else. */
function breakGlass(reason: string | undefined, stage: string, actions: Actions): ElementChild {
  return h(
    'div',
    { class: 'break-glass', key: 'break-glass' },
    h(
      'label',
      { class: 'tick' },
      h('input', {
        id: 'break-glass',
        type: 'checkbox',
        checked: reason !== undefined,
        on: { tick: (checked) => actions.breakGlass(checked ? '' : undefined) },
      }),
      `Break-glass: bypass the publishers of stage ${stage} in an emergency`,
    ),
    reason !== undefined && [
      h('label', { for: 'reason' }, 'Why it cannot wait (10 to 500 characters; this is recorded and reported)'),
      h('textarea', { id: 'reason', rows: 3, maxlength: 500, value: reason, on: { input: actions.breakGlass } }),
    ],
  );
}

function outcome(
  { preview, breakGlass, approved }: Draft,
  route: DeployRoute,
  mayApprove: boolean,
  actions: Actions,
): ElementChild {
  if (!preview) return undefined;
  if (preview.status === 'loading') return h('p', { class: 'quiet' }, 'Checking…');
  if (preview.status === 'failed')
    return failedNote(
      preview.failed,
      preview.failed.kind === 'refused' ? 'It would be refused' : 'It could not be checked',
    );
  return [
    approved !== undefined && h('p', { class: 'note' }, written(approved)),
    checkReport(preview.value),
    decide(preview.value, { breakGlass, mayApprove }, route, actions),
  ];
}

interface Permitted {
  readonly breakGlass: string | undefined;
  readonly mayApprove: boolean;
}

function decide(
  preview: DeploymentPreview,
  { breakGlass, mayApprove }: Permitted,
  route: DeployRoute,
  actions: Actions,
): Described {
  const { artifact, stage } = preview;
  const goesBack = route.page === 'rollback';
  const verb = goesBack ? 'Go back to' : 'Deploy';
  const deploy = (): void =>
    actions.ask({
      title: `${verb} ${artifact} ${goesBack ? 'in' : 'to'} ${stage}?`,
      facts: factsOf(preview),
      ...withWarning(warningOf(preview, breakGlass)),
      confirm: goesBack ? `Go back in ${stage}` : `Deploy to ${stage}`,
      path: goesBack ? '/v1/rollbacks' : '/v1/deployments',
      body: goesBack ? rollBackOf(route.choice) : deployRequest(route.choice, breakGlass),
      keyed: true,
      done: `${artifact} is on its way to ${stage}.`,
    });
  const approve = (): void =>
    actions.ask({
      title: `Let ${artifact} into ${stage}?`,
      facts: [`Every user who may deploy to ${stage} can then deploy this version there. Nothing is deployed now.`],
      confirm: `Approve for ${stage}`,
      path: '/v1/approvals',
      body: { artifact, stage },
      keyed: false,
      done: `${artifact} is approved for ${stage}.`,
    });
  return h(
    'div',
    { class: 'actions', key: 'decide' },
    preview.decision !== 'refuse' &&
      h(
        'button',
        { type: 'button', id: 'deploy', class: 'main', on: { click: deploy } },
        `${goesBack ? 'Go back' : 'Deploy'}…`,
      ),
    !goesBack &&
      mayApprove &&
      h('button', { type: 'button', id: 'approve', class: 'plain', on: { click: approve } }, `Approve for ${stage}…`),
  );
}

const withWarning = (warning: string | undefined) => (warning === undefined ? {} : { warning });
