import { join } from 'node:path';
import { type PythonTool, pythonTool } from '../../python/python-tool';

/** Finds the pinned version of schemathesis in the cache or installs it there. */
export const schemathesisTool = (environment: NodeJS.ProcessEnv = process.env): PythonTool =>
  pythonTool('schemathesis', join(__dirname, 'requirements.txt'), environment);
