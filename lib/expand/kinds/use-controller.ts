/** Remedy of what only the controller supports; entry points replace it by how they do it. */
export const useController = 'apply the custom resource where the controller runs';
