/** Who needs an artifact, as the artifact store knows it: `project/workflow/stage`. */
export const holder = (project: string, workflow: string, stage: string): string => `${project}/${workflow}/${stage}`;
