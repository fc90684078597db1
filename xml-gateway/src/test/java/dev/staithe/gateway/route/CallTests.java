package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallTests {
  private static final long MOST = 32L << 20;

  @Test
  void clientThatOnlySaysHowLongItsBodyIsGetsNoRoomForIt() {
    assertThat(Call.room(0, 0, MOST, MOST)).isLessThanOrEqualTo(64 << 10);
    assertThat(Call.room(32 << 10, (32 << 10) + 1, MOST, MOST)).isLessThanOrEqualTo(512 << 10);
  }

  @Test
  void roomForTheRestIsMadeBeforeMuchOfItHasCome() {
    long length = 20L << 20;
    int room = Call.room(0, 0, length, MOST);
    int before = 0;
    while (room < length) {
      before = room;
      room = Call.room(room, room + 1, length, MOST);
    }

    assertThat(room).isEqualTo((int) length);
    assertThat(before).isLessThan((int) length / 8);
  }

  @Test
  void roomIsNeverMoreThanWhatIsTakenNorLessThanWhatIsNeeded() {
    assertThat(Call.room(0, 0, 10, MOST)).isEqualTo(10);
    assertThat(Call.room(0, 0, -1, 10)).isEqualTo(10);
    assertThat(Call.room(1 << 20, (1 << 20) + 1, -1, MOST)).isEqualTo(2 << 20);
    assertThat(Call.room(0, 100_000, -1, MOST)).isEqualTo(100_000);
  }
}
