import { runOpsProcess } from '../../ops/process.ts';
import { productVariables, readLocalService } from './local-service.ts';

await runOpsProcess(productVariables(process.env), () => readLocalService(process.env).exchange);
