import { removeRunFolder } from './run-folder';

export default removeRunFolder;
