import { Controller, Delete, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ForNamespace } from '@palisade/guards';
import { parseSessionId } from '@palisade/isolation';
import { Needs } from '../http/access.guard.js';
import { CurrentCall, type Call } from '../http/call.js';
import { toSessionResponse, type SessionResponse } from './session.mapper.js';
import { SessionsService } from './sessions.service.js';

/** Sessions with dedicated connections, at the isolation level `session`. */
@Controller('v1/sessions')
@ForNamespace()
@Needs('read')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  open(@CurrentCall() call: Call): Promise<SessionResponse> {
    return this.sessions.open(call).then(toSessionResponse);
  }

  @Delete(':id')
  @HttpCode(HttpStatus.NO_CONTENT)
  end(@CurrentCall() call: Call, @Param('id') id: string): Promise<void> {
    return this.sessions.end(call, parseSessionId(id));
  }
}
