import { createRunFolder } from './run-folder';

export default createRunFolder;
